/** What happened, and the return to before it. The store keeps the timeline. */
import { z } from "zod";
import { control, answersOk as ok } from "#contract/control/rows.ts";
import { timelineItem } from "#contract/control/timeline.ts";
import {
  markAnswer,
  markInput,
  rewindAnswer,
  rewindInput,
  rewindQuery,
  timelineAnswer,
  timelineQuery,
} from "./contract/rewind.ts";

const seq = z.int();

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    readTimeline: control("GET", "timeline", "What the newest transactions changed, newest first", ok(timelineAnswer),
      { query: timelineQuery, bound: "query" }),
    rewind: control("POST", "rewind", "Return an app or a user to an earlier moment, or undo one change", ok(rewindAnswer),
      { query: rewindQuery, body: rewindInput,
        problems: ["unknown_record", "unknown_profile", "changed_since", "username_taken_since", "secret_taken",
          "username_collision", "rewound_too_far"], bound: "body", heavy: "large" }),
    markApp: control("POST", "mark", "Mark the current moment of an app, to rewind to it", ok(markAnswer),
      { body: markInput, problems: ["unknown_record"], bound: "body" }),
  },
  events: {
    rewind: z
      .object({
        appId: z.string().nullable(),
        userId: z.string().nullish(),
        to: seq.optional(),
        undo: seq.optional(),
        ...rewindAnswer.shape,
      })
      .describe("`to` is the moment; of a single change, `undo` is its number."),
  },
  types: {
    TimelineQuery: [timelineQuery, "Filter of the timeline, newest first."],
    TimelineItem: [timelineItem, "One transaction: what it changed, with before and after."],
    Timeline: [timelineAnswer, "A page of the timeline."],
    RewindInput: [rewindInput, "What to rewind, and to which moment: either `to` or `before`."],
    Rewound: [rewindAnswer, "The result of a rewind."],
    Mark: [markAnswer, "A moment of an app."],
  },
  tags: {
    timeline: "What the newest transactions changed.",
    rewind: "Returns to an earlier moment.",
    mark: "Names the current moment.",
  },
  examples: { rewind: { appId: "demo-app", to: 41, clock: "then" }, markApp: { appId: "demo-app" } },
} as const;
