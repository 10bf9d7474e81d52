/** Commands for a pasted text: whose token it is, which record has the id, which login had the passcode. */
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "#client/index.ts";
import { unlessGone } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";
import { openPastedToken } from "../../shared/session/pasted-token.tsx";
import { type Address, useAddress } from "../../ui/address.ts";
import type { Command } from "../../ui/palette-store.ts";
import { pastedIn } from "../../ui/paste-kinds.ts";
import { inOneLine } from "../../ui/words.ts";

/** Dropped from the cache soon after it is hidden, because it may be out of date. */
const SHORTER = { gcTime: 10_000 };

/** The request, session or passcode with this id; null for the others. */
const recordQuery = (id: string) =>
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
const passcodesWithQuery = (code: string) =>
  query(
    ["passcodes-with", code],
    async ({ passcodes }) => (await passcodes.list({ limit: MOST_CODES })).items.filter((one) => one.code === code),
    SHORTER,
  );

type Go = (change: Partial<Address>) => void;

/** @returns the commands for a token, an id or a passcode; none: the text is none of these. */
export const usePasted = (typed: string): readonly Command[] => {
  const { go } = useAddress();
  const pasted = pastedIn(inOneLine(typed));
  const id = pasted?.kind === "id" ? pasted.id : "";
  const code = pasted?.kind === "passcode" ? pasted.code : "";
  const found = useQuery({ ...recordQuery(id), enabled: id !== "" }).data;
  const codes = useQuery({ ...passcodesWithQuery(code), enabled: code !== "" }).data ?? [];
  const show: Go = (change) => go({ show: null, q: "", ...change });
  if (pasted === null) return [];
  switch (pasted.kind) {
    case "token": {
      const { token } = pasted;
      return [{ id: "paste:token", title: "Inspect this token", run: () => openPastedToken(token) }];
    }
    case "id":
      return recordCommands(found, show);
    default:
      return codes.map(({ id: of, to, status }) => ({
        id: `paste:${of}`,
        title: `Open the login of ${to}`,
        hint: `code ${status}`,
        run: () => show({ screen: "codes", id: of, app: null }),
      }));
  }
};

type Found = Awaited<ReturnType<NonNullable<ReturnType<typeof recordQuery>["queryFn"]>>>;

const recordCommands = (found: Found | undefined, show: Go): readonly Command[] => {
  const { request, session, passcode } = found ?? {};
  const command = (title: string, change: Partial<Address>, hint?: string): Command => ({
    id: `paste:${title}`,
    title,
    hint,
    run: () => show(change),
  });
  return [
    request && command("Open this request", { screen: "requests", id: request.id }, callWords(request)),
    session && command("Open this session", { screen: "users/sessions", id: session.id, app: null }, session.state),
    passcode && command("Open this login", { screen: "codes", id: passcode.id, app: null }, passcode.to),
  ].filter((one) => one != null);
};

const callWords = ({ method, path, status }: RequestRow): string => `${method} ${path}, ${status || "no response"}`;
