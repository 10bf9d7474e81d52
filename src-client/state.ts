/** The data as a whole. */
import type { Imported, OfApp } from "./of-app.ts";
import type * as R from "./records.ts";
import { bodyOf, type Transport } from "./transport.ts";

const digit = (flag: boolean | undefined): "1" | undefined => (flag === true ? "1" : undefined);

/** @returns the calls. @see Client */
export const createState = ({ ask, tell }: Transport) => ({
  /**
   * @returns the data as a fixture. @param options `volatile`: includes passcodes, sessions and clocks; `minimal`:
   * omits nulls, defaults, times, and ids that nothing refers to.
   */
  export: ({
    volatile,
    minimal,
    ...query
  }: OfApp & { readonly volatile?: boolean; readonly minimal?: boolean } = {}): Promise<R.World> =>
    ask("GET", "state", { query: { ...query, volatile: digit(volatile), minimal: digit(minimal) } }),
  /**
   * Imports data, all or nothing. @param state or its JSON in UTF-8. @param options `mode`: `merge` (the default) adds and updates, `replace` also
   * deletes what is not in it; `dryRun` validates and counts without changing anything; `users` also counts who is new,
   * changed and the same; `fit`, for rows of people, leaves out metadata that does not fit with what a user has.
   */
  import: (
    state: R.World | Uint8Array,
    options: OfApp & {
      readonly mode?: "merge" | "replace";
      readonly dryRun?: boolean;
      readonly users?: boolean;
      readonly fit?: boolean;
    } = {},
  ): Promise<Imported> => {
    const { mode = "merge", dryRun, users, fit, ...query } = options;
    return ask("PUT", "state", {
      ...bodyOf(state, mode),
      query: { ...query, dryRun: digit(dryRun), users: digit(users), fit: digit(fit) },
    });
  },
  /** Resets to the fixtures of the emulator's start, or to the demo data. */
  reset: (of?: OfApp): Promise<void> => tell("DELETE", "state", { query: of }),
  /** @returns what a reset would remove because the fixtures do not have it; nothing changes. */
  tryReset: (of?: OfApp): Promise<R.ResetTrial> => ask("DELETE", "state", { query: { ...of, dryRun: "1" } }),
});
