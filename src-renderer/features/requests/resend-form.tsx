import { NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import type { ReplayInput, RequestRow } from "#client/index.ts";
import { headersIn } from "#contract/service/faults.ts";
import { closeDialog, onSubmit, openDialog, TextButton, useAction, useTexts } from "../../ui/action.tsx";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Headers that belong to the connection, or follow from the rest: the server sets them. */
const OF_CONNECTION =
  /^(connection|content-length|expect|host|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i;

/** @returns a logged request as form text, one `name: value` per line for headers. */
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
  new Map(Object.entries(headersIn(text)).map(([name, value]) => [name.toLowerCase(), value]));

/** @returns the changes to the logged request; a removed header is `null`. */
const changeOf = (first: ResendDraft, draft: ResendDraft): ReplayInput => {
  const before = readHeaders(first.headers);
  const after = readHeaders(draft.headers);
  const headers = Object.fromEntries([
    ...[...after].filter(([name, value]) => before.get(name) !== value),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => [name, null] as const),
  ]);
  const method = METHODS.find((one) => one === draft.method && one !== first.method);
  return {
    ...(method && { method }),
    ...(draft.path !== first.path && { path: draft.path }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(draft.body !== first.body && { body: draft.body === "" ? null : draft.body }),
  };
};

/** What is sent: headers as one `name: value` a line. */
type ResendDraft = ReturnType<typeof draftOf>;

interface ResendFormProps {
  readonly row: RequestRow;
  readonly first: ResendDraft;
  readonly onSend: (change: ReplayInput) => Promise<unknown>;
}

/** The form to edit and resend a logged request. */
const ResendForm = ({ row, first, onSend }: ResendFormProps) => {
  const [draft, field] = useTexts(first);
  const { busy, run } = useAction(async () => {
    await onSend(changeOf(draftOf(row), draft));
    closeDialog();
  });
  return (
    <form {...onSubmit(() => run())}>
      <Stack>
        <NativeSelect label="Method" data={[...METHODS]} {...field("method")} />
        <TextInput label="Path" data-autofocus classNames={{ input: "mono" }} {...field("path")} />
        <Textarea
          label="Headers"
          description="One per line. Masked secrets are sent unchanged unless you edit them."
          classNames={{ input: "mono" }}
          rows={4}
          {...field("headers")}
        />
        <Textarea label="Body" classNames={{ input: "mono" }} rows={6} {...field("body")} />
        <TextButton type="submit" variant="filled" loading={busy} label="Send" />
      </Stack>
    </form>
  );
};

/**
 * Opens the form to edit and resend a logged request.
 * @param onSend sends it with these changes. @param first what the form shows at first; absent: the request itself.
 */
export const openResend = (row: RequestRow, onSend: ResendFormProps["onSend"], first = draftOf(row)): void =>
  openDialog("Edit and resend", <ResendForm row={row} first={first} onSend={onSend} />);
