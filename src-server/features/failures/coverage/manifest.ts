/** Login coverage: which outcomes of a login an app has met, and how to meet the others. */

import { answersOk, control, gone } from "#contract/control/rows.ts";
import { ofApp } from "#contract/service/apps.ts";
import { coverageAnswer, coverageItem, coverageQuery, provokeAnswer, provokeInput } from "./contract/coverage.ts";

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    readCoverage: control("GET", "coverage", "Which login outcomes are covered, and how often",
      answersOk(coverageAnswer), { query: coverageQuery, bound: "query" }),
    clearCoverage: control("DELETE", "coverage", "Reset the counts", gone, { query: ofApp, bound: "query" }),
    provokeOutcome: control("POST", "coverage/provoke", "Arrange that the next login has an outcome",
      answersOk(provokeAnswer),
      { body: provokeInput, problems: ["unknown_record", "too_many_faults"], bound: "body" }),
    clearProvoked: control("DELETE", "coverage/provoke", "Cancel what was arranged and has not happened yet", gone,
      { query: ofApp, bound: "query" }),
  },
  events: {
    "coverage.put": coverageItem.describe("The outcome that an app has covered for the first time."),
  },
  schemas: { Coverage: coverageItem },
  types: {
    CoverageItem: [coverageItem, "A login outcome, and how often it has happened."],
    Coverage: [coverageAnswer, "All login outcomes."],
    CoverageQuery: [coverageQuery, "Which coverage."],
    ProvokeInput: [provokeInput, "The outcome that the next login should have."],
    Provoked: [provokeAnswer, "What was arranged, and what to do next."],
  },
  tags: { coverage: "Which login outcomes are covered, and how to cover the rest." },
  examples: { provokeOutcome: { appId: "demo-app", outcome: "expiredCode", to: "+12025550100" } },
} as const;
