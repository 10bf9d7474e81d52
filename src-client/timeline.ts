/** The timeline of the emulator: marks, and rewinding to them. */
import type * as R from "./records.ts";
import type { Transport } from "./transport.ts";

/** Where to rewind to: a mark, right after a change (`to`), or right before a request (`before`, its id). */
export type Moment = R.Mark | Pick<R.RewindInput, "to" | "before">;
/** What to rewind: only a user, and the clock too. */
export type RewindOptions = Pick<R.RewindInput, "userId" | "clock">;

/** The methods that return an app to an earlier moment. */
interface AppMethods {
  /** @returns the current moment, for `rewind`. */
  mark(): Promise<R.Mark>;
  /**
   * Returns the app, or one of its users, to a moment, in a few milliseconds whatever its size. Settings, faults,
   * snapshots and the request log stay.
   * @throws StagedoorError 409 if another user has a username now, 410 if the moment is no longer kept.
   */
  rewind(to: Moment, options?: RewindOptions): Promise<R.Rewound>;
}

/** An app, with the methods that return it to an earlier moment. */
export type RewindableApp<A extends R.App = R.App> = A & AppMethods;

/** @returns the calls of the timeline. */
export const createTimeline = ({ ask }: Transport) => ({
  /** @returns what the newest transactions changed, newest first. */
  timeline: (query?: R.TimelineQuery): Promise<R.Timeline> => ask("GET", "timeline", { query }),
  /**
   * Returns an app, or one of its users, to an earlier moment. `dryRun` says what it would change, and whether that
   * could be undone. @see RewindableApp
   */
  rewind: (body: R.RewindInput, { dryRun = false } = {}): Promise<R.Rewound> =>
    ask("POST", "rewind", { body, query: dryRun ? { dryRun: "1" } : {} }),
  /** @returns the current moment of an app. */
  mark: (appId: string): Promise<R.Mark> => ask("POST", "mark", { body: { appId } }),
});

/** @returns the app with its methods, which are neither enumerable nor in its JSON. */
export const rewindable = <A extends R.App>(transport: Transport, app: A): RewindableApp<A> => {
  const { mark, rewind } = createTimeline(transport);
  const { appId } = app;
  const methods: AppMethods = {
    mark: () => mark(appId),
    rewind: (moment, options) => {
      const to = "seq" in moment ? { to: moment.seq } : moment;
      return rewind({ appId, ...to, ...options });
    },
  };
  const made = { ...app, ...methods };
  for (const name of Object.keys(methods)) Object.defineProperty(made, name, { enumerable: false });
  return made;
};
