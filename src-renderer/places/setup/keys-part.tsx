import { Group, Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SigningKey } from "#client/index.ts";
import { KEY_ALGORITHMS } from "#contract/service/token-claims.ts";
import { many, sentence } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { statusQuery, useApps } from "../../api/queries.ts";
import { askFirst, LinkButton, TextButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/code.tsx";
import { Cell, ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { signingKeysQuery } from "./keys-query.ts";

const COLUMNS = ["minmax(0, 1fr) 120px 84px 72px", "minmax(0, 1fr) 100px 72px"] as const;
const OWN =
  "Stagedoor signs with your own key (--signing-key), so no key can be rotated or retired. To change keys here, start it without that option.";
const ROTATION =
  "A new key signs from now on. The previous one stays in the JWKS, and its tokens remain valid, until you retire it.";

const RECOUNT_MS = 15_000;

/** @returns what happens to the tokens of a key that is retired. */
const retireWords = ({ tokens }: SigningKey): string => {
  if (tokens === 0)
    return "No active session has a token that it signed. This permanently removes the key from the JWKS.";
  const are = tokens === 1 ? "becomes" : "become";
  return `This permanently removes the key from the JWKS, and ${many(tokens, "token")} of active sessions ${are} invalid.`;
};

/** @returns a function that asks, and then retires a key. */
const useRetire = () => {
  const { address, go } = useAddress();
  const { run } = useAction(async ({ kid }: SigningKey) => {
    await emulator.signingKeys.retire(kid);
    if (address.id === kid) go({ id: null });
  }, "Retired the key");
  return (key: SigningKey): void =>
    askFirst({ title: "Retire this key?", words: retireWords(key), label: "Retire", onConfirm: () => run(key) });
};

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

const Status = ({ state }: Pick<SigningKey, "state">) => (
  <StatusMark tone={state === "current" ? "ok" : "quiet"}>{sentence(state)}</StatusMark>
);

const Created = ({ createdAt }: Pick<SigningKey, "createdAt">) =>
  createdAt === null ? <span className="dim">unknown</span> : <RelativeTime instant={createdAt} />;

const KeyRow = ({ signingKey, place }: { readonly signingKey: SigningKey; readonly place: RowPlace }) => {
  const { kid, algorithm, state, tokens } = signingKey;
  const retire = useRetire();
  return (
    <Row ended={state === "previous"}>
      <Cell sub={algorithm}>
        <RowLink {...place}>
          <span className="mono">{kid}</span>
        </RowLink>
      </Cell>
      <Cell sub={many(tokens, "token")}>
        <Status state={state} />
      </Cell>
      <Cell wide end>
        <Created {...signingKey} />
      </Cell>
      {state === "previous" ? <LinkButton onClick={() => retire(signingKey)}>Retire</LinkButton> : <span />}
    </Row>
  );
};

const KeyDetail = ({ signingKey, onClose }: { readonly signingKey: SigningKey; readonly onClose: () => void }) => {
  const { kid, algorithm, state, tokens } = signingKey;
  const retire = useRetire();
  return (
    <DetailPanel label={`Key ${kid}`} title={`${algorithm} key`} onClose={onClose}>
      <Group>
        <CopyButton variant="filled" text={kid} what="Key id" label="Copy key id" />
        {state === "previous" && <TextButton color="red" onClick={() => retire(signingKey)} label="Retire…" />}
      </Group>
      <DetailPart title="Key">
        <Facts
          of={{
            Status: <Status state={state} />,
            Use:
              state === "current"
                ? `signs tokens of apps with ${algorithm}`
                : "none: its tokens stay valid until you retire it",
            Tokens: `of ${many(tokens, "active session")}`,
            Created: <Created {...signingKey} />,
            "Key id": <span className="mono">{kid}</span>,
          }}
        />
      </DetailPart>
    </DetailPanel>
  );
};

/** The keys that sign tokens, newest first, of all apps. */
export const KeysPart = () => {
  const { address } = useAddress();
  // The counts follow events, and time too: sessions expire without one.
  const list = useQuery({ ...signingKeysQuery(), refetchInterval: RECOUNT_MS });
  const isOwn = useQuery(statusQuery()).data?.signingKey === true;
  const all = (list.data?.items ?? []).map((signingKey) => ({ id: signingKey.kid, signingKey })).reverse();
  return (
    <ListScreen
      title="Signing keys"
      noun="key"
      list={list}
      columns={COLUMNS}
      all={all}
      fits={({ signingKey: { kid, algorithm } }) =>
        `${kid} ${algorithm}`.toLowerCase().includes(address.q.toLowerCase())
      }
      tools={!isOwn && <RotateMenu />}
      above={<p className="dim band">{isOwn ? OWN : ROTATION}</p>}
      note="All apps, newest first"
      empty={null}
      row={({ signingKey }, place) => <KeyRow signingKey={signingKey} place={place} />}
      detail={({ id, signingKey }, close) => <KeyDetail key={id} signingKey={signingKey} onClose={close} />}
    />
  );
};
