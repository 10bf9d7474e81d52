import { Group, NativeSelect, Stack, Switch, Table, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Session, TokenCheck } from "#client/index.ts";
import { DEFECTS } from "#contract/service/token-defects.ts";
import { sentence } from "#contract/words/words.ts";
import { verdictWords } from "#features/keys/token-check/contract/words.ts";
import { emulator, fieldsOf } from "../../api/emulator.ts";
import { onSubmit, openDialog, TextButton, useTexts } from "../../ui/action.tsx";
import { StatusMark } from "../../ui/parts.tsx";
import { Wrong } from "../../ui/screen.tsx";

type Item = TokenCheck["items"][number];

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const FIRST = {
  url: "http://localhost:8080/me",
  method: "GET",
  header: "Authorization: Bearer {token}",
  body: "",
};

const toneOf = ({ ok, verdict, advice }: Item) => {
  if (!ok) return "bad";
  if (verdict === "unclear") return "warn";
  return advice ? "quiet" : "ok";
};

const noteOf = ({ defect, advice }: Item): string => {
  if (defect === null) return "Nothing is wrong with the token. It must be accepted.";
  if (defect === "newKey") return `${DEFECTS[defect].why} It must be accepted.`;
  return `${DEFECTS[defect].why}${advice ? " Most libraries accept it." : ""}`;
};

const Result = ({ check }: { readonly check: TokenCheck }) => (
  <>
    <p role="status">
      <StatusMark tone={check.ok ? "ok" : "bad"}>{verdictWords(check)}</StatusMark>
    </p>
    {check.error === undefined && (
      <Table
        aria-label="Verdict"
        fz="inherit"
        verticalSpacing={4}
        horizontalSpacing={8}
        data={{
          head: ["Token", "Status", "Verdict"],
          body: check.items.map((item) => [
            <div key="token">
              <span className="mono">{item.defect ?? "valid"}</span>
              <p className="small">{noteOf(item)}</p>
            </div>,
            <span key="status" className="mono">
              {item.status ?? "none"}
            </span>,
            <StatusMark key="verdict" tone={toneOf(item)}>
              {sentence(item.verdict)}
            </StatusMark>,
          ]),
        }}
      />
    )}
  </>
);

const Backend = ({ id }: { readonly id: string }) => {
  const [{ url, method, header, body }, field] = useTexts(FIRST);
  const [rotate, setRotate] = useState(false);
  const check = useMutation({
    mutationFn: () =>
      emulator.sessions.checkBackend(id, {
        url,
        method: METHODS.find((one) => one === method) ?? "GET",
        header,
        rotate,
        ...(method === "GET" || body === "" ? {} : { body }),
      }),
  });
  const errors = fieldsOf(check.error);
  const input = (name: keyof typeof FIRST, label: string) => ({
    ...field(name),
    label,
    error: errors[name]?.join(", "),
  });
  const isAtField = Object.keys(FIRST).some((name) => errors[name] !== undefined);
  return (
    <Stack gap={12}>
      <form {...onSubmit(() => check.mutate())} aria-label="Test my backend">
        <Stack gap={12}>
          <TextInput description="An endpoint of your backend that needs a token." {...input("url", "URL")} />
          <NativeSelect data={[...METHODS]} {...input("method", "Method")} />
          <TextInput {...input("header", "Header")} />
          {method !== "GET" && <Textarea rows={3} classNames={{ input: "mono" }} {...input("body", "Body")} />}
          <Switch
            label="Rotate the key as well"
            description="Your backend must accept a new key, which is in the JWKS only during the test. If it is rejected, the test tries again after 30 s."
            checked={rotate}
            onChange={({ currentTarget }) => setRotate(currentTarget.checked)}
          />
          <Group>
            <TextButton type="submit" variant="filled" loading={check.isPending} label="Run test" />
            <span className="dim small">Calls it once with a valid token and once with each invalid one.</span>
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
