import { Group, NativeSelect, Stack, Table, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Session, TokenCheck } from "#client/index.ts";
import { DEFECTS } from "#contract/token-defects.ts";
import { verdictWords } from "#contract/token-verdict.ts";
import { sentence } from "#contract/words.ts";
import { emulator, fieldsOf } from "../../api/emulator.ts";
import { onSubmit, openDialog, TextButton, textField } from "../../ui/action.tsx";
import { StatusMark } from "../../ui/parts.tsx";
import { Wrong } from "../../ui/screen.tsx";

type Item = TokenCheck["items"][number];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const HEADER = "Authorization: Bearer {token}";

const toneOf = ({ ok, verdict, advice }: Item) => {
  if (!ok) return "bad";
  if (verdict === "unclear") return "warn";
  return advice ? "quiet" : "ok";
};

const noteOf = ({ defect, advice }: Item): string => {
  if (defect === null) return "Nothing is wrong with the token. It must be accepted.";
  return advice ? `${DEFECTS[defect].why} Most libraries accept it.` : DEFECTS[defect].why;
};

const Result = ({ check }: { readonly check: TokenCheck }) => (
  <>
    <p role="status">
      <StatusMark tone={check.ok ? "ok" : "bad"}>{verdictWords(check)}</StatusMark>
    </p>
    {check.error === undefined && (
      <Table aria-label="Verdict" fz="inherit" verticalSpacing={4} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Token</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Verdict</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {check.items.map((item) => (
            <Table.Tr key={item.defect ?? ""}>
              <Table.Td>
                <span className="mono">{item.defect ?? "good"}</span>
                <br />
                <span className="dim small">{noteOf(item)}</span>
              </Table.Td>
              <Table.Td className="mono">{item.status ?? "none"}</Table.Td>
              <Table.Td>
                <StatusMark tone={toneOf(item)}>{sentence(item.verdict)}</StatusMark>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    )}
  </>
);

const Backend = ({ id }: { readonly id: string }) => {
  const [url, setUrl] = useState("http://localhost:8080/me");
  const [method, setMethod] = useState("GET");
  const [header, setHeader] = useState(HEADER);
  const [body, setBody] = useState("");
  const check = useMutation({
    mutationFn: () =>
      emulator.sessions.checkBackend(id, {
        url,
        method: METHODS.find((one) => one === method) ?? "GET",
        header,
        ...(method === "GET" || body === "" ? {} : { body }),
      }),
  });
  const errors = fieldsOf(check.error);
  const errorOf = (field: string) => errors[field]?.join(", ");
  const isAtField = ["url", "method", "header", "body"].some((field) => errors[field] !== undefined);
  return (
    <Stack gap={12}>
      <form {...onSubmit(() => check.mutate())} aria-label="Test my backend">
        <Stack gap={12}>
          <TextInput
            label="URL"
            description="An endpoint of your backend that needs a token."
            error={errorOf("url")}
            {...textField(url, setUrl)}
          />
          <NativeSelect
            label="Method"
            data={[...METHODS]}
            error={errorOf("method")}
            {...textField(method, setMethod)}
          />
          <TextInput label="Header" error={errorOf("header")} {...textField(header, setHeader)} />
          {method !== "GET" && (
            <Textarea
              label="Body"
              rows={3}
              classNames={{ input: "mono" }}
              error={errorOf("body")}
              {...textField(body, setBody)}
            />
          )}
          <Group>
            <TextButton type="submit" variant="filled" loading={check.isPending} label="Run test" />
            <span className="dim small">Calls it once with a good token and once with each wrong one.</span>
          </Group>
        </Stack>
      </form>
      {!isAtField && <Wrong error={check.error} />}
      {check.data !== undefined && !check.isPending && <Result check={check.data} />}
    </Stack>
  );
};

/** Asks for an endpoint, and shows which tokens it accepts. */
export const openBackendTest = ({ id }: Session): void => openDialog("Test my backend", <Backend id={id} />);
