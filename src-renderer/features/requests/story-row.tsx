import { useQuery } from "@tanstack/react-query";
import type { Passcode } from "#client/index.ts";
import { whatToChange } from "#contract/hints.ts";
import { recipientText } from "#contract/phone-words.ts";
import { many } from "#contract/words.ts";
import { nameOf, statusQuery, useApps, useProfile } from "../../api/queries.ts";
import { CopyButton } from "../../ui/code.tsx";
import { Cell, Row, RowLink, type RowPlace, UserCell } from "../../ui/list-screen.tsx";
import { ClockTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import type { Tone } from "../../ui/tones.ts";
import { outcomeWords } from "./query.ts";
import { Bullets } from "./request-line.tsx";
import { isWrongCode, type Story, type StoryStep, stepsOf } from "./stories.ts";
import { StorySteps } from "./story-steps.tsx";
import { snippetOf } from "./test-snippet.ts";

/** @returns the outcome of a login, as a word and as a sentence. */
const outcomeOf = (
  { rows, passcode }: Story,
  steps: readonly StoryStep[],
): { tone: Tone; word: string; words: string } => {
  const wrong = rows.filter(isWrongCode).length;
  const after = wrong === 0 ? "" : ` after ${many(wrong, "wrong code")}`;
  if (steps.some(({ sessionId }) => sessionId !== undefined))
    return { tone: "ok", word: "Signed in", words: `Signed in${after}` };
  const last = rows.at(-1);
  if (last !== undefined && (last.status >= 400 || last.status === 0))
    return { tone: last.fault === null ? "bad" : "warn", word: "Failed", words: outcomeWords(last) };
  if (passcode?.delivery === "failed") return { tone: "warn", word: "Failed", words: "A fault lost the code" };
  if (last?.method === "POST" && last.status !== 202) return { tone: "ok", word: "Signed up", words: "A new user" };
  return { tone: "info", word: "Waiting", words: "Code sent, nothing typed yet" };
};

/** @returns who logged in, how far they came, and with which outcome. */
const useStory = (story: Story) => {
  const { appId, userId, to } = story;
  const { apps } = useApps();
  const profile = useProfile(appId ?? "", userId ?? "");
  return {
    ...outcomeOf(story, stepsOf(story, apps)),
    apps,
    name: userId === null ? "Unknown user" : nameOf(profile),
    to: to === "" ? "no username" : recipientText(to),
  };
};

/** A row for one login. */
export const StoryRow = ({ story, ...place }: RowPlace & { readonly story: Story }) => {
  const { name, to, tone, word, words } = useStory(story);
  return (
    <Row>
      <Cell>
        <StatusMark tone={tone}>{word}</StatusMark>
      </Cell>
      <UserCell username={to}>
        <RowLink {...place}>{name}</RowLink>
      </UserCell>
      <Cell wide>
        <bdi className="dim">{words}</bdi>
      </Cell>
      <Cell end>
        <ClockTime at={story.rows.at(-1)?.at ?? story.passcode?.createdAt ?? ""} />
      </Cell>
    </Row>
  );
};

interface StoryDetailProps {
  readonly story: Story;
  readonly passcodes: readonly Passcode[];
  readonly onClose: () => void;
}

/** One login, step by step, and how to fix it if it failed. */
export const StoryDetail = ({ story, passcodes, onClose }: StoryDetailProps) => {
  const { data: status } = useQuery(statusQuery());
  const { name, to, tone, words, word, apps } = useStory(story);
  const failed = story.rows.at(-1);
  const own = passcodes.filter(({ userId }) => userId === story.userId);
  const fixes = failed === undefined || word !== "Failed" ? [] : whatToChange(failed, { apps, passcodes: own });
  return (
    <DetailPanel
      wide
      label={`Login of ${to}`}
      title={name}
      sub={
        <>
          <span className="mono">{to}</span> <StatusMark tone={tone}>{words}</StatusMark>
        </>
      }
      onClose={onClose}
    >
      {story.rows.length > 0 && (
        <CopyButton text={snippetOf(story.rows, apps, status?.urls.console ?? "")} what="Test" label="Copy as test" />
      )}
      <DetailPart title="Steps">
        <StorySteps story={story} open end={word === "Waiting" ? "Waiting for the code" : ""} reasonOf={outcomeWords} />
      </DetailPart>
      <Bullets title="How to fix" items={fixes} />
    </DetailPanel>
  );
};
