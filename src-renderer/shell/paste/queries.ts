import { unlessGone } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";

/** Dropped from the cache soon after it is hidden, because it may be out of date. */
const SHORTER = { gcTime: 10_000 };

/** The request, session or passcode with this id; null for the others. */
export const recordQuery = (id: string) =>
  query(
    ["record", id],
    async ({ requests, sessions, passcodes }) => {
      const [request, session, passcode] = await Promise.all([
        unlessGone(requests.get(id)),
        unlessGone(sessions.get(id)),
        unlessGone(passcodes.get(id)),
      ]);
      return { request, session, passcode };
    },
    SHORTER,
  );

/** Maximum number of passcodes to look through. */
const MOST_CODES = 1_000;

/** The newest passcodes with this code, newest first. */
export const passcodesWithQuery = (code: string) =>
  query(
    ["passcodes-with", code],
    async ({ passcodes }) => (await passcodes.list({ limit: MOST_CODES })).items.filter((one) => one.code === code),
    SHORTER,
  );
