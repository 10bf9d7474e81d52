import { Group } from "@mantine/core";
import { Suspense } from "react";
import { Link } from "wouter";
import { requestPasscode } from "../../api/actions.ts";
import { later } from "../../api/later.ts";
import { FailMenu } from "../../shared/fault/fail-menu.tsx";
import { CodeMark } from "../../shared/login/code-mark.tsx";
import { isOpen, lookOf, standingOf } from "../../shared/login/standing.ts";
import type { Story } from "../../shared/login/stories.ts";
import { ActionButton } from "../../ui/action.tsx";
import { BigCode, CopyButton } from "../../ui/code.tsx";
import { useNow } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { Verdict } from "../../ui/verdict.tsx";
import classes from "./codes.module.css";
import { useLoginActions } from "./login-actions.ts";
import { useWho } from "./login-row.tsx";

/** Not in the first view, because it imports the descriptions of all errors. */
const LoginVerdict = later("login-verdict", async () => (await import("./login-steps.tsx")).LoginVerdict);
/** @see LoginVerdict */
const LoginStory = later("login-steps", async () => (await import("./login-steps.tsx")).LoginStory);

interface LoginDetailProps {
  readonly story: Story;
  /** Chosen by hand: on a phone it covers the list. */
  readonly isChosen: boolean;
  readonly back: string;
  /** Called when one of its menus opens or closes. */
  readonly onMenu: (isOpen: boolean) => void;
}

/** One login: whose, the code, what to do next, why it stands as it does, and its steps; each in its place. */
export const LoginDetail = ({ story, isChosen, back, onMenu }: LoginDetailProps) => {
  const { appId, userId, passcodes } = story;
  const { profile, name, username, isKnown } = useWho(story);
  const standing = standingOf(story, useNow(appId), profile);
  const actionsOf = useLoginActions();
  const code = passcodes.at(-1);
  const who = name ?? username;
  const canCopy = code !== undefined && isOpen(standing);
  return (
    <section className={classes["detail"]} aria-label={`Login of ${who}`} data-below={!isChosen || undefined}>
      <Link className={classes["back"]} href={back}>
        ← Codes
      </Link>
      <div className={classes["who"]}>
        <h2 className="cut">
          <bdi>{isKnown ? who : "\u00a0"}</bdi>
        </h2>
        <span className="cut mono small">{name !== undefined && username}</span>
        <span className={classes["left"]}>
          {code && isOpen(standing) && standing.kind !== "fixed" && (
            <CodeMark standing={standing} passcode={code} timed />
          )}
        </span>
      </div>
      {code === undefined ? (
        <p className={classes["none"]}>No code was sent</p>
      ) : (
        <BigCode code={code.code} look={lookOf(standing)} />
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
        {code !== undefined && <FailMenu passcode={code} onMenu={onMenu} />}
        <ActionsMenu
          label={`More for ${who}`}
          items={() => actionsOf({ story, standing, profile, who }).filter(({ label }) => label !== "New code")}
          onMenu={onMenu}
        />
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
