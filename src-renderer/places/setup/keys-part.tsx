import { Box, Menu, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SigningKey } from "#client/index.ts";
import { KEY_ALGORITHMS } from "#contract/service/token-claims.ts";
import { many, sentence } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { query, statusQuery, useApps } from "../../api/queries.ts";
import { PastedToken } from "../../shared/session/pasted-token.tsx";
import { askFirst, TextButton, textField, useAction } from "../../ui/action.tsx";
import { copyText } from "../../ui/code.tsx";
import { Lines, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { pastedIn } from "../../ui/paste-kinds.ts";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { inOneLine } from "../../ui/words.ts";

const OWN =
  "Stagedoor signs with your own key (--signing-key), so no key can be rotated or retired. To change keys here, start it without that option.";
const ROTATION =
  "A new key signs from now on. The previous one stays in the JWKS, and its tokens remain valid, until you retire it.";

const RECOUNT_MS = 15_000;

const signingKeysQuery = () => query(["signing-keys"], ({ signingKeys }) => signingKeys.list());

/** @returns what happens to the tokens of a key that is retired. */
const retireWords = ({ tokens }: SigningKey): string =>
  `This permanently removes the key from the JWKS. Tokens of active sessions that become invalid: ${tokens}.`;

const RotateMenu = () => {
  const { apps } = useApps();
  const { busy, run } = useAction(
    (algorithm: SigningKey["algorithm"]) => emulator.signingKeys.rotate({ algorithm }),
    "Rotated the key",
  );
  return (
    <Menu position="bottom-start" width={300}>
      <Menu.Target>
        <TextButton loading={busy} label="Rotate…" />
      </Menu.Target>
      <Menu.Dropdown>
        {KEY_ALGORITHMS.map((algorithm) => {
          const users = apps.filter(({ settings }) => (settings.token?.algorithm ?? "ES256") === algorithm).length;
          return (
            <Menu.Item key={algorithm} onClick={() => run(algorithm)}>
              <span className="mono">{algorithm}</span>
              <br />
              <span className="dim small">{users === 0 ? "No app uses it now" : `Used by ${many(users, "app")}`}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
};

const KeyLine = ({ signingKey }: { readonly signingKey: SigningKey }) => {
  const { kid, algorithm, state, tokens, createdAt } = signingKey;
  const { run } = useAction(() => emulator.signingKeys.retire(kid), "Retired the key");
  const ask = { title: "Retire this key?", words: retireWords(signingKey), label: "Retire", onConfirm: () => run() };
  return (
    <li>
      <div>
        <p className="mono cut">{kid}</p>
        <p className="small">
          {algorithm}, {many(tokens, "token")},{" "}
          {createdAt === null ? "unknown age" : <RelativeTime instant={createdAt} />}
        </p>
      </div>
      <StatusMark tone={state === "current" ? "ok" : "quiet"}>{sentence(state)}</StatusMark>
      <ActionsMenu
        inRow
        label={`More for key ${kid}`}
        items={() => [
          { label: "Copy key id", act: () => copyText(kid, "Key id") },
          { label: "Retire…", disabled: state === "current", act: () => askFirst(ask) },
        ]}
      />
    </li>
  );
};

const TokenCheck = () => {
  const [text, setText] = useState("");
  const pasted = pastedIn(inOneLine(text));
  return (
    <Section
      title="Check a token"
      words="Whose it is, whether a backend would accept it, and what differs from a valid one."
    >
      <Textarea
        aria-label="Token"
        placeholder="eyJ…"
        rows={4}
        spellCheck={false}
        classNames={{ input: "mono" }}
        {...textField(text, setText)}
      />
      <Box mt={16}>
        {pasted?.kind === "token" ? (
          <PastedToken key={pasted.token} token={pasted.token} />
        ) : (
          text.trim() !== "" && <p className="dim">This is not a token.</p>
        )}
      </Box>
    </Section>
  );
};

/** The keys that sign tokens, newest first, of all apps; and what a token is. */
export const KeysPart = () => {
  // The counts follow events, and time too: sessions expire without one.
  const list = useQuery({ ...signingKeysQuery(), refetchInterval: RECOUNT_MS });
  const isOwn = useQuery(statusQuery()).data?.signingKey === true;
  return (
    <Screen title="Keys">
      <Page>
        <Section title="Signing keys" words={isOwn ? OWN : ROTATION}>
          <Loaded of={list} what="The keys">
            {({ items }) => (
              <Lines label="Signing keys" columns="minmax(0, 1fr) auto auto">
                {items.toReversed().map((signingKey) => (
                  <KeyLine key={signingKey.kid} signingKey={signingKey} />
                ))}
              </Lines>
            )}
          </Loaded>
          {!isOwn && (
            <Box mt={12}>
              <RotateMenu />
            </Box>
          )}
        </Section>
        <TokenCheck />
      </Page>
    </Screen>
  );
};
