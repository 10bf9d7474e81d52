import type { App, Passcode } from "#client/index.ts";
import { nameOf, useProfile } from "../../api/profile.ts";
import type { Tone } from "../../ui/code-look.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { outcomeWords } from "../../ui/exchange-words.ts";
import { recipientText } from "../../ui/phone.ts";
import type { RowFocus } from "../../ui/record-list.tsx";
import { Cell, Row, RowLink, UserCell } from "../../ui/row.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { many } from "../../ui/words.ts";
import { whatToChange } from "./hints.ts";
import { HowToFix } from "./how-to-fix.tsx";
import { LogTime } from "./request-line.tsx";
import { isWrongCode, type Step, type Story, stepsOf } from "./stories.ts";
import { StorySteps } from "./story-steps.tsx";
import { snippetOf } from "./test-snippet.ts";

/** @returns how far a login got: in a word, and in a sentence. */
const outcomeOf = ({ rows, passcode }: Story, steps: readonly Step[]): { tone: Tone; word: string; words: string } => {
  const wrong = rows.filter(isWrongCode).length;
  const after = wrong === 0 ? "" : ` after ${many(wrong, "wrong code")}`;
  if (steps.some(({ sessionId }) => sessionId !== undefined))
    return { tone: "ok", word: "Signed in", words: `Signed in${after}` };
  const last = rows.at(-1);
  if (last !== undefined && (last.status >= 400 || last.status === 0))
    return {
      tone: last.fault === null ? "bad" : "warn",
      word: "Failed",
      words: outcomeWords(last),
    };
  if (passcode?.delivery === "failed") return { tone: "warn", word: "Failed", words: "A fault lost the code" };
  if (last?.method === "POST" && last.status !== 202) return { tone: "ok", word: "Signed up", words: "A new user" };
  return { tone: "info", word: "Waiting", words: "Code sent, nothing typed yet" };
};

/** @returns the user's name, else how they are known. */
const useWho = ({ appId, userId, to }: Story): { name: string; to: string } => {
  const profile = useProfile(appId ?? "", userId ?? "");
  return {
    name: userId === null ? "Unknown user" : nameOf(profile),
    to: to === "" ? "no username" : recipientText(to),
  };
};

interface StoryRowProps {
  readonly story: Story;
  readonly apps: readonly App[];
  readonly href: string;
  readonly selected: boolean;
  readonly focus: RowFocus;
}

/** One login of the log. */
export const StoryRow = ({ story, apps, href, selected, focus }: StoryRowProps) => {
  const { name, to } = useWho(story);
  const { tone, word, words } = outcomeOf(story, stepsOf(story, apps));
  return (
    <Row>
      <Cell>
        <StatusMark tone={tone}>{word}</StatusMark>
      </Cell>
      <UserCell username={to}>
        <RowLink focus={focus} href={href} selected={selected}>
          <bdi>{name}</bdi>
        </RowLink>
      </UserCell>
      <Cell wide>
        <bdi className="dim">{words}</bdi>
      </Cell>
      <Cell end>
        <LogTime at={story.rows.at(-1)?.at ?? story.passcode?.createdAt ?? ""} />
      </Cell>
    </Row>
  );
};

interface StoryDetailProps {
  readonly story: Story;
  readonly apps: readonly App[];
  readonly passcodes: readonly Passcode[];
  readonly consoleUrl: string;
  readonly onClose: () => void;
}

/** One login, step by step, and how to fix it where it failed. */
export const StoryDetail = ({ story, apps, passcodes, consoleUrl, onClose }: StoryDetailProps) => {
  const { name, to } = useWho(story);
  const steps = stepsOf(story, apps);
  const { tone, words, word } = outcomeOf(story, steps);
  const failed = story.rows.at(-1);
  const own = passcodes.filter(({ userId }) => userId === story.userId);
  const fixes = failed === undefined || word !== "Failed" ? [] : whatToChange(failed, { apps, passcodes: own });
  return (
    <DetailPanel wide label={`Login of ${to}`} onClose={onClose}>
      <PanelHead
        title={name}
        sub={
          <>
            <span className="mono">{to}</span> <StatusMark tone={tone}>{words}</StatusMark>
          </>
        }
      />
      {story.rows.length > 0 && (
        <CopyButton text={snippetOf(story.rows, apps, consoleUrl)} what="Test" label="Copy as test" />
      )}
      <DetailPart title="Steps">
        <StorySteps
          steps={steps}
          code={story.passcode?.code}
          end={word === "Waiting" ? "Waiting for the code" : ""}
          reasonOf={outcomeWords}
        />
      </DetailPart>
      <HowToFix changes={fixes} />
    </DetailPanel>
  );
};
