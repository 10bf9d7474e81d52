import { useQuery } from "@tanstack/react-query";
import { memo } from "react";
import { recipientText } from "#contract/words/phone-words.ts";
import { profileQuery, useApps } from "../../api/queries.ts";
import { CodeMark } from "../../shared/login/code-mark.tsx";
import { isOpen, standingOf } from "../../shared/login/standing.ts";
import type { Story } from "../../shared/login/stories.ts";
import { Code, copyText } from "../../ui/code.tsx";
import { Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { useNow } from "../../ui/parts.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { clockWords, exactWords } from "../../ui/words.ts";
import classes from "./codes.module.css";
import { useLoginActions } from "./login-actions.ts";

/** @returns whose login it is: the name, or else the phone or email; undefined until that is known. */
export const useWho = ({ appId, userId, to }: Story) => {
  const isUser = appId !== null && userId !== null;
  const { data: profile } = useQuery({ ...profileQuery(appId, userId ?? ""), enabled: isUser });
  const username = to === "" ? "no username" : recipientText(to);
  const isKnown = !isUser || profile !== undefined;
  return { profile, username, name: profile?.name?.trim() || undefined, isKnown };
};

interface LoginRowProps extends RowPlace {
  readonly story: Story;
  /** The app's name, if several apps are shown. */
  readonly appName: string | undefined;
}

const PlainRow = ({ story, appName, ...place }: LoginRowProps) => {
  const { appId, rows, passcodes } = story;
  const { profile, name, username, isKnown } = useWho(story);
  const standing = standingOf(story, useNow(appId), profile);
  const code = passcodes.at(-1);
  const at = code?.createdAt ?? rows[0]?.at ?? "";
  const who = name ?? username;
  const actionsOf = useLoginActions();
  const copy = code && { label: "Copy", name: `Copy the code of ${who}`, act: () => copyText(code.code, "Code") };
  return (
    <Row
      actions={
        <RowActions
          first={copy ? [copy] : []}
          menu={`More for ${who}`}
          more={() => actionsOf({ story, standing, profile, who })}
          tabIndex={place.focus.tabIndex}
        />
      }
    >
      <span className={classes["code"]} data-ended={!isOpen(standing) || undefined}>
        {code === undefined ? <small>No code</small> : <Code code={code.code} look="live" />}
      </span>
      <span className="cut">
        <RowLink {...place}>{isKnown ? who : "\u00a0"}</RowLink>
      </span>
      <span className="cut mono small" data-wide>
        {name !== undefined && username}
      </span>
      <CodeMark standing={standing} passcode={code} />
      {appName !== undefined && (
        <bdi className="cut small" data-middle>
          {appName}
        </bdi>
      )}
      <time className={classes["time"]} dateTime={at} title={at === "" ? undefined : exactWords(at)} data-middle>
        {at === "" ? "" : clockWords(at).slice(0, "14:02".length)}
      </time>
    </Row>
  );
};

/** A login. The whole row leads to it. Memoised. */
export const LoginRow = memo(
  PlainRow,
  (a, b) =>
    a.story === b.story &&
    a.href === b.href &&
    a.selected === b.selected &&
    a.appName === b.appName &&
    a.focus.tabIndex === b.focus.tabIndex,
);

/** @returns what names the app of a login; undefined: one app is shown, or there is only one. */
export const useAppOf = (appId: string | null): ((story: Story) => string) | undefined => {
  const { apps, appName } = useApps();
  return appId === null && apps.length > 1 ? ({ appId: own }) => (own === null ? "" : appName(own)) : undefined;
};
