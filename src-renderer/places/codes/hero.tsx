import { Group, Stack, UnstyledButton } from "@mantine/core";
import { Suspense } from "react";
import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { CHANNELS } from "#contract/service/strategies.ts";
import { groups } from "#contract/words/code-words.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { deliverPasscode, expirePasscode, requestPasscode } from "../../api/actions.ts";
import { later } from "../../api/later.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { FaultsAhead } from "../../shared/fault/faults-ahead.tsx";
import { SimulateMenu } from "../../shared/fault/simulate-menu.tsx";
import { Arrival } from "../../shared/login/passcode-state.tsx";
import {
  endWords,
  isAlive,
  lookOf,
  type PasscodeStanding,
  STANDING_WORDS,
  standingAt,
} from "../../shared/login/passcode-status.ts";
import { ActionButton, complain, LinkButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Code, CopyButton, useCopy } from "../../ui/code.tsx";
import { lifeLeft, useNow } from "../../ui/parts.tsx";
import { TONES } from "../../ui/tones.ts";
import { clockWords, exactWords } from "../../ui/words.ts";
import classes from "./inbox.module.css";

/** Not in the first view, because it imports the descriptions of all errors. */
const Login = later("login", async () => (await import("./login-part.tsx")).Login);

/** The remaining lifetime of a code, as a ring and as text. */
export const Life = (props: {
  readonly passcode: Passcode;
  readonly standing: PasscodeStanding;
  readonly nowMs: number;
}) => {
  const { passcode, standing, nowMs } = props;
  const left = lifeLeft({ nowMs, ...passcode });
  const [tone, words] = standing === "active" ? [left.tone, left.children] : STANDING_WORDS[standing];
  const share = standing === "active" ? left.share : standing === "test" ? 100 : 0;
  return (
    <span
      className={classes["life"]}
      style={{ "--tone": TONES[tone][0], "--share": `${share}%`, color: TONES[tone][1] }}
    >
      <span aria-hidden="true" data-tone={tone} />
      {words}
    </span>
  );
};

/** The digits, as large as fits; a click copies them. */
export const BigCode = ({ code, standing }: { readonly code: string; readonly standing: PasscodeStanding }) => {
  const { copied, copy } = useCopy();
  // In digit widths of 0.6 em.
  const wide = code.length + 0.6 * (groups(code).length - 1);
  return (
    <p className={classes["big"]} data-testid="hero" style={{ "--wide": wide }}>
      <UnstyledButton
        tabIndex={-1}
        aria-label={`Copy ${code}`}
        title={copied ? "Copied" : "Copy"}
        onClick={() => copy(code, "Code")}
      >
        <Code code={code} look={lookOf(standing)} />
      </UnstyledButton>
    </p>
  );
};

const MINI = "popup,width=380,height=230";
const KIND = { android: "Android", ios: "iOS" } as const;

/** Links in a message, also those that open an app, such as `acme://login`. */
const LINK = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"]{1,2000}/gi;

const Message = ({ channel, message, code, devices }: Passcode) => {
  // A message can have the code twice: in its words, and in a last line for autofill.
  const at = message.indexOf(code);
  const after = at < 0 ? undefined : message.slice(at + code.length);
  const before = at < 0 ? message : message.slice(0, at);
  const links = [...new Set(message.match(LINK) ?? [])];
  return (
    <div className="small">
      <p>
        {CHANNELS[channel].word}:{" "}
        <bdi style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {before}
          {after !== undefined && <strong className="warn">{code}</strong>}
          {after}
        </bdi>
      </p>
      {links.map((link) => (
        <p key={link}>
          <CopyButton text={link} what="Link" label={links.length === 1 ? "Copy link" : `Copy ${link}`} />
        </p>
      ))}
      {devices.map(({ kind, id, name, status, detail }) => (
        <p key={`${kind} ${id}`} className={status === "failed" ? "bad" : undefined}>
          <bdi>
            {[KIND[kind], name ?? id].filter(Boolean).join(" · ")}: {status === "failed" && "not delivered. "}
            {detail}.
          </bdi>
        </p>
      ))}
    </div>
  );
};

interface HeroProps {
  readonly passcode: Passcode;
  /** Undefined for the newest code. */
  readonly onFollow: (() => void) | undefined;
  readonly onSent: () => void;
}

/** The code at the top of the inbox: details, actions, and its login. */
export const Hero = ({ passcode, onFollow, onSent }: HeroProps) => {
  const { appId, userId, code, to, createdAt } = passcode;
  const { hrefWith, hrefTo } = useAddress();
  const profile = useProfile(appId, userId);
  const nowMs = useNow(appId);
  const standing = standingAt(passcode, nowMs, profile);
  const alive = isAlive(standing);
  const setFixedCode = (): void =>
    void import("../../shared/user/fixed-code.tsx").then(
      ({ openTestCode }) => profile && openTestCode(profile, code),
      complain,
    );
  return (
    <section className={classes["hero"]} aria-label={onFollow ? `Code ${code}` : `Newest code ${code}`}>
      <Stack>
        <p className="dim">
          {onFollow ? "Selected code" : "Newest code"} · <bdi className={classes["who"]}>{nameOf(profile)}</bdi> ·{" "}
          <bdi>{recipientText(to)}</bdi> ·{" "}
          <time dateTime={createdAt} title={exactWords(createdAt)}>
            {clockWords(createdAt)}
          </time>{" "}
          {onFollow && (
            <LinkButton warn onClick={onFollow}>
              Show newest
            </LinkButton>
          )}
        </p>
        <BigCode code={code} standing={standing} />
        <Group justify="space-between" gap={12}>
          <Group>
            <CopyButton text={code} what="Code" label="Copy code" variant={alive ? "filled" : "default"} keys="c" />
            <ActionButton
              label="Send new code"
              variant={alive || standing === "pending" ? "default" : "filled"}
              act={() => requestPasscode(appId, userId).then(onSent)}
            />
            {standing === "pending" && (
              <ActionButton
                label="Deliver now"
                variant="filled"
                act={() => deliverPasscode(passcode.id)}
                says="Code delivered"
              />
            )}
            <ActionButton
              label="Expire"
              disabled={standing !== "active"}
              act={() => expirePasscode(passcode.id)}
              says="Code expired"
            />
            <SimulateMenu passcode={passcode} />
          </Group>
          {standing === "pending" ? (
            <Arrival {...passcode} />
          ) : (
            <Life passcode={passcode} standing={standing} nowMs={nowMs} />
          )}
        </Group>
        <FaultsAhead passcode={passcode} />
        <Message {...passcode} />
        <Group gap={16} className="small">
          {profile && (
            <>
              <LinkButton onClick={setFixedCode}>
                {profile.testPasscode === null ? "Set a fixed code" : "Change the fixed code"}
              </LinkButton>
              <Link className="link" href={hrefTo("users", { id: userId, app: appId })}>
                View profile
              </Link>
            </>
          )}
          {/* The desktop shell keeps this window above all others. */}
          <LinkButton
            onClick={() => window.open(hrefWith({ screen: "mini", id: null, q: "" }), "stagedoor-mini", MINI)}
          >
            Open mini window
          </LinkButton>
        </Group>
      </Stack>
      <Stack gap={4}>
        <h2 style={{ fontSize: 13 }}>This login</h2>
        <Suspense>
          <Login passcode={passcode} end={endWords(standing)} />
        </Suspense>
      </Stack>
    </section>
  );
};
