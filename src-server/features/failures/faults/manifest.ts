/** Faults: simulated failures of admin and auth, and messages that they delay or double. */
import { z } from "zod";
import { answersMade, answersOk, control, gone } from "#contract/control/rows.ts";
import { frozen } from "#contract/frozen.ts";
import { ofApp } from "#contract/service/apps.ts";
import { faultEffect, faultInput, faultMatch } from "#contract/service/faults.ts";
import { passcodeItem } from "#contract/service/passcodes.ts";
import { faultItem, faultList, faultQuery } from "./contract/faults.ts";

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = frozen({
  title: "Faults: simulated failures, late messages",
  page: "faults.md",
  routes: {
    listFaults: control("GET", "faults", "List faults with their counters", answersOk(faultList),
      { query: faultQuery, bound: "query" }),
    addFault: control("POST", "faults", "Create a fault for matching requests", answersMade(faultItem),
      { body: faultInput, problems: ["unknown_record", "too_many_faults"], bound: "match" }),
    clearFaults: control("DELETE", "faults", "Delete all faults, or those of an app", gone,
      { query: ofApp, bound: "query", isDrastic: true }),
    readFault: control("GET", "faults/:id", "Read a fault", answersOk(faultItem), { bound: "own" }),
    removeFault: control("DELETE", "faults/:id", "Delete a fault", gone, { bound: "own" }),
    deliverPasscode: control("POST", "passcodes/:id/deliver",
      "Deliver a delayed message now; a message that is not pending stays as it is", answersOk(passcodeItem),
      { bound: "own" }),
  },
  events: {
    "fault.put": faultItem,
    "fault.remove": z.object({ id: z.string() }),
  },
  schemas: { Fault: faultItem, FaultInput: faultInput },
  types: {
    FaultMatch: [faultMatch, "Which requests a fault applies to: those that match every given field."],
    FaultEffect: [faultEffect, "What happens to a matching request."],
    Fault: [faultItem, "A fault with its counters."],
    FaultInput: [faultInput, "A new fault."],
  },
  tags: { faults: "Simulated failures of admin and auth." },
  examples: {
    addFault: { match: { method: "POST", path: "/v1/users/session" }, effect: { status: 503 }, times: 2 },
  },
} as const);
