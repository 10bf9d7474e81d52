/**
 * A request as it is edited before it is sent again.
 */

import { Button, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import type { ReplayInput, RequestRow } from "#client/index.ts";
import { onSubmit, useAction } from "../../ui/action.tsx";
import { closeDialog } from "../../ui/dialogs.tsx";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** What belongs to the connection, or follows from the rest: the server sets it. */
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** @returns a row of the log as the texts of the form; a header a line, as `name: value`. */
const draftOf = ({ method, path, request }: RequestRow) => ({
  method,
  path,
  headers: Object.entries(request.headers)
    .filter(([name]) => !OF_CONNECTION.test(name))
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join("\n"),
  body: request.body ?? "",
});

const readHeaders = (text: string): Map<string, string> =>
  new Map(
    text.split("\n").flatMap((line) => {
      const [name = "", ...value] = line.split(":");
      return name.trim() === "" ? [] : [[name.trim().toLowerCase(), value.join(":").trim()] as const];
    }),
  );

/** @returns what differs from the request that was logged: a header that is gone is `null`. */
const changeOf = (first: ReturnType<typeof draftOf>, draft: typeof first): ReplayInput => {
  const [before, after] = [readHeaders(first.headers), readHeaders(draft.headers)];
  const headers = Object.fromEntries([
    ...[...after].filter(([name, value]) => before.get(name) !== value),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => [name, null] as const),
  ]);
  const method = METHODS.find((one) => one === draft.method);
  return {
    ...(draft.method === first.method || method === undefined ? {} : { method }),
    ...(draft.path === first.path ? {} : { path: draft.path }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(draft.body === first.body ? {} : { body: draft.body === "" ? null : draft.body }),
  };
};

interface ResendFormProps {
  readonly row: RequestRow;
  readonly onSend: (change: ReplayInput) => Promise<unknown>;
}

/** A request of the log, to be changed and sent again. */
export const ResendForm = ({ row, onSend }: ResendFormProps) => {
  const [first] = useState(() => draftOf(row));
  const [draft, setDraft] = useState(first);
  const { busy, run } = useAction(async () => {
    await onSend(changeOf(first, draft));
    closeDialog();
  });
  const field = (name: keyof typeof first) => ({
    value: draft[name],
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      const { value } = event.currentTarget;
      setDraft((now) => ({ ...now, [name]: value }));
    },
  });
  return (
    <form {...onSubmit(() => run())}>
      <Stack>
        <NativeSelect label="Method" data={[...METHODS]} {...field("method")} />
        <TextInput label="Path" data-autofocus classNames={{ input: "mono" }} {...field("path")} />
        <Textarea
          label="Headers"
          description="One a line. Secrets are sent as they came, unless changed."
          classNames={{ input: "mono" }}
          rows={4}
          {...field("headers")}
        />
        <Textarea label="Body" classNames={{ input: "mono" }} rows={6} {...field("body")} />
        <Button type="submit" variant="filled" loading={busy}>
          Send
        </Button>
      </Stack>
    </form>
  );
};
