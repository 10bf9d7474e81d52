/** Commands for a pasted text: whose token it is, which record has the id, which login had the passcode. */
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "#client/index.ts";
import { emulator } from "../../api/emulator.ts";
import { statusQuery } from "../../api/queries.ts";
import { openResend } from "../../features/requests/resend-form.tsx";
import { complain } from "../../ui/action.tsx";
import { type Address, useAddress } from "../../ui/address.ts";
import { inOneLine } from "../../ui/words.ts";
import type { Command } from "../palette-store.ts";
import { type CurlCommand, pastedIn } from "./paste-kinds.ts";
import { openPastedToken } from "./pasted-token.tsx";
import { passcodesWithQuery, recordQuery } from "./queries.ts";

type Go = (change: Partial<Address>) => void;

/** @returns the commands for a token, an id, a passcode or a curl line; none: the text is none of these. */
export const usePasted = (typed: string): readonly Command[] => {
  const { go } = useAddress();
  const pasted = pastedIn(inOneLine(typed));
  const id = pasted?.kind === "id" ? pasted.id : "";
  const code = pasted?.kind === "passcode" ? pasted.code : "";
  const found = useQuery({ ...recordQuery(id), enabled: id !== "" }).data;
  const codes = useQuery({ ...passcodesWithQuery(code), enabled: code !== "" }).data ?? [];
  const { urls } = useQuery(statusQuery()).data ?? {};
  const show: Go = (change) => go({ show: null, q: "", ...change });
  if (pasted === null) return [];
  switch (pasted.kind) {
    case "token": {
      const { token } = pasted;
      return [{ id: "paste:token", title: "Inspect this token", run: () => openPastedToken(token) }];
    }
    case "id":
      return recordCommands(found, show);
    case "passcode":
      return codes.map(({ id: of, to, status }) => ({
        id: `paste:${of}`,
        title: `Open the login of ${to}`,
        hint: `code ${status}`,
        run: () => show({ screen: "inbox", id: of, app: null }),
      }));
    default: {
      const { command } = pasted;
      const listener = (["auth", "admin"] as const).find(
        (name) => urls && new URL(urls[name]).port === command.url.port,
      );
      if (listener === undefined) return [];
      return [
        {
          id: "paste:curl",
          title: `Edit and resend ${command.method} ${command.url.pathname}`,
          hint: listener,
          run: () => resend(command, listener, show).catch(complain),
        },
      ];
    }
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
    session && command("Open this session", { screen: "sessions", id: session.id, app: null }, session.state),
    passcode && command("Open this login", { screen: "inbox", id: passcode.id, app: null }, passcode.to),
  ].filter((one) => one != null);
};

const callWords = ({ method, path, status }: RequestRow): string => `${method} ${path}, ${status || "no response"}`;

/** Sends in the name of the listener's newest request: what differs from it is what the form holds. */
const resend = async (command: CurlCommand, listener: "admin" | "auth", show: Go): Promise<void> => {
  const [row] = (await emulator.requests.list({ listener, limit: 1 })).items;
  if (row === undefined) throw new Error(`The request log has no request to ${listener} yet. Send one first.`);
  const { method, url, headers, body } = command;
  const send = async (change: Parameters<typeof emulator.requests.replay>[1]): Promise<void> => {
    const { requestId } = await emulator.requests.replay(row.id, change);
    if (requestId !== null) show({ screen: "requests", id: requestId });
  };
  openResend(row, send, { method, path: url.pathname + url.search, headers, body });
};
