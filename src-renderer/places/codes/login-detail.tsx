import { Group } from "@mantine/core";
import { Suspense } from "react";
import { Link } from "wouter";
import { requestPasscode } from "../../api/actions.ts";
import { later } from "../../api/later.ts";
import { FailMenu } from "../../shared/fault/fail-menu.tsx";
import { isOpen, type Standing, standingOf } from "../../shared/login/standing.ts";
import type { Story } from "../../shared/login/stories.ts";
import { ActionButton } from "../../ui/action.tsx";
import { BigCode, CopyButton } from "../../ui/code.tsx";
import { lifeLeft, useNow } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { TONES } from "../../ui/tones.ts";
import { Verdict } from "../../ui/verdict.tsx";
import classes from "./codes.module.css";
import { useLoginActions } from "./login-actions.ts";
import { useWho } from "./login-row.tsx";

/** Not in the first view, because it imports the descriptions of all errors. */
const LoginVerdict = later("login-verdict", async () => (await import("./login-steps.tsx")).LoginVerdict);
/** @see LoginVerdict */
const LoginStory = later("login-steps", async () => (await import("./login-steps.tsx")).LoginStory);

/** What is left of a code: a pie and a time. */
const Left = ({ story, standing }: { readonly story: Story; readonly standing: Standing }) => {
  const nowMs = useNow(story.appId);
  const code = story.passcodes.at(-1);
  if (code === undefined || !(standing.kind === "waiting" || standing.kind === "wrong")) return null;
  const { tone, share, children } = lifeLeft({ nowMs, ...code });
  return (
    <span
      className={classes["left"]}
      style={{ "--tone": TONES[tone][0], "--share": `${share}%`, color: TONES[tone][1] }}
    >
      <span aria-hidden="true" data-tone={tone} />
      {children}
    </span>
  );
};

interface LoginDetailProps {
  readonly story: Story;
  /** Chosen by hand: on a phone it covers the list. */
  readonly isChosen: boolean;
  readonly back: string;
}

/** One login: whose, the code, what to do next, why it stands as it does, and its steps; each in its place. */
export const LoginDetail = ({ story, isChosen, back }: LoginDetailProps) => {
  const { appId, userId, passcodes } = story;
  const { profile, name, username, isKnown } = useWho(story);
  const standing = standingOf(story, useNow(appId), profile);
  const actionsOf = useLoginActions();
  const code = passcodes.at(-1);
  const who = name ?? username;
  const canCopy = code !== undefined && isOpen(standing);
  return (
    <section className={classes["detail"]} aria-label={`Login of ${who}`} data-chosen={isChosen || undefined}>
      <Link className={classes["back"]} href={back}>
        ← Codes
      </Link>
      <div className={classes["who"]}>
        <h2 className="cut">
          <bdi>{isKnown ? who : "\u00a0"}</bdi>
        </h2>
        <span className="cut mono small">{name !== undefined && username}</span>
        <Left story={story} standing={standing} />
      </div>
      {code === undefined ? (
        <p className={classes["none"]}>No code was sent</p>
      ) : (
        <BigCode code={code.code} look={isOpen(standing) ? "live" : standing.kind === "signedIn" ? "used" : "spent"} />
      )}
      <Group wrap="nowrap">
        {code !== undefined && (
          <CopyButton text={code.code} what="Code" label="Copy" variant={canCopy ? "filled" : "default"} keys="c" />
        )}
        {appId !== null && userId !== null && (
          <ActionButton
            label="New code"
            variant={canCopy ? "default" : "filled"}
            act={() => requestPasscode(appId, userId)}
          />
        )}
        {code !== undefined && <FailMenu passcode={code} />}
        <ActionsMenu label={`More for ${who}`} items={() => actionsOf({ story, standing, profile, who }).slice(1)} />
      </Group>
      <Suspense fallback={<Verdict tone="quiet" />}>
        <LoginVerdict story={story} standing={standing} />
      </Suspense>
      <Suspense>
        <LoginStory story={story} standing={standing} open={isChosen} />
      </Suspense>
    </section>
  );
};
