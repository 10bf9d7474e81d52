import type { RequestRow } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf, useProfile } from "../../api/queries.ts";
import { type Story, stepsOf } from "../../shared/login/stories.ts";
import { outcomeOf } from "../../shared/login/story-outcome.ts";
import { StorySteps } from "../../shared/login/story-steps.tsx";
import { AdvicePart } from "../../shared/request/advice-part.tsx";
import { outcomeWords, titleWords } from "../../shared/request/query.ts";
import { Cell, Row, RowLink, type RowPlace, UserCell } from "../../ui/list-screen.tsx";
import { ClockTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";

/** @returns who logged in, how far they came, and with which outcome. */
const useStory = (story: Story) => {
  const { appId, userId, to } = story;
  const profile = useProfile(appId ?? "", userId ?? "");
  return {
    ...outcomeOf(story, stepsOf(story)),
    name: userId === null ? "Unknown user" : nameOf(profile),
    to: to === "" ? "no username" : recipientText(to),
  };
};

/** A row for one login. */
export const StoryRow = ({ story, ...place }: RowPlace & { readonly story: Story }) => {
  const { name, to, tone, word, words } = useStory(story);
  const newest = story.rows.at(-1);
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
        <ClockTime at={newest?.at ?? story.passcodes.at(-1)?.createdAt ?? ""} />
      </Cell>
    </Row>
  );
};

/** A wrong code before the right one needs no advice any more. */
const worked = ({ status }: RequestRow): boolean => status > 0 && status < 400;

interface StoryDetailProps {
  readonly story: Story;
  readonly onClose: () => void;
}

/** One login, step by step, and how to fix it if it failed. */
export const StoryDetail = ({ story, onClose }: StoryDetailProps) => {
  const { name, to, tone, words, word } = useStory(story);
  const hasFailed = word === "Failed";
  const last = story.rows.at(-1);
  const title = hasFailed && last !== undefined && last.status >= 400 ? titleWords(last) : words;
  return (
    <DetailPanel
      label={`Login of ${to}`}
      title={name}
      sub={
        <>
          <span className="mono">{to}</span> <StatusMark tone={tone}>{title}</StatusMark>
        </>
      }
      onClose={onClose}
    >
      <DetailPart title="Steps">
        <StorySteps story={story} open end={word === "Waiting" ? "Waiting for the code" : ""} reasonOf={outcomeWords} />
      </DetailPart>
      <AdvicePart rows={hasFailed ? story.rows.slice(-1) : story.rows.filter(worked)} failed={hasFailed} />
    </DetailPanel>
  );
};
