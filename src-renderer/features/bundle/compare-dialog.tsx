import { Button, FileButton, Group, NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { recipientText } from "#contract/words/phone-words.ts";
import { openDialog, useAction } from "../../ui/action.tsx";
import { CopyButton } from "../../ui/code.tsx";
import { Lines } from "../../ui/parts.tsx";
import { clockWords } from "../../ui/words.ts";
import { type Story, type StoryStep, stepsOf } from "../requests/stories.ts";
import { outcomeOf } from "../requests/story-outcome.ts";
import { compareLogins, comparisonMarkdown, type Difference, type LoginSide, partingWords } from "./compare.ts";

const wordOf = (story: Story): string => outcomeOf(story, stepsOf(story)).word;

/** @returns a login in a few words: `12:00:05 +1 202 555 0100, failed`. */
const nameOf = (story: Story): string => {
  const { rows, passcodes, to } = story;
  const at = rows[0]?.at ?? passcodes[0]?.createdAt;
  const when = at === undefined ? "" : `${clockWords(at)} `;
  return `${when}${to === "" ? "no username" : recipientText(to)}, ${wordOf(story).toLowerCase()}`;
};

/** Reads the login in a file that was downloaded from a request. @throws Error if it holds none */
const readBundle = async (file: File): Promise<LoginSide> => {
  const { readLogin } = await import("./read-login.ts");
  const login = readLogin(await file.text());
  if (login === undefined)
    throw new Error(`${file.name} is not a downloaded login. Choose a file saved with Download.`);
  return login;
};

const StepWords = ({ step }: { readonly step: StoryStep | undefined }) =>
  step === undefined ? (
    <span className="dim">nothing</span>
  ) : (
    <span>
      {step.title} {step.typed !== undefined && <bdi className="mono">{step.typed}</bdi>}{" "}
      <strong className={step.tone === "bad" ? "bad" : ""}>{step.result}</strong>
      {step.times > 1 && ` ×${step.times}`}
    </span>
  );

const COLUMNS = "minmax(0, 1fr) minmax(0, 1fr) minmax(0, 1fr)";

const Differences = ({ of }: { readonly of: readonly Difference[] }) =>
  of.map(({ what, left, right }) => (
    <li key={what}>
      <span className="dim small">{what}</span>
      <bdi className="mono small">{left}</bdi>
      <bdi className="mono small">{right}</bdi>
    </li>
  ));

interface ComparedProps {
  readonly left: LoginSide;
  readonly right: LoginSide;
}

const Compared = ({ left, right }: ComparedProps) => {
  const comparison = compareLogins(left, right);
  const parting = partingWords(comparison);
  const names = [nameOf(left.story), nameOf(right.story)] as const;
  return (
    <>
      <p role="status">{parting === null ? "Same steps, same outcome." : `First difference: ${parting}.`}</p>
      <Lines label="Steps of both logins" columns={COLUMNS}>
        {comparison.pairs.map((pair, index) => [
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of two finished logins never move
          <li key={`step ${index}`}>
            <strong className={pair.parts ? "warn" : ""}>
              {index + 1}
              {pair.parts && ": different result"}
            </strong>
            <StepWords step={pair.left} />
            <StepWords step={pair.right} />
          </li>,
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Differences key={`of ${index}`} of={pair.differences} />,
        ])}
      </Lines>
      {comparison.parts.map(({ title, differences }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          {differences.length === 0 ? (
            <p className="dim">The same.</p>
          ) : (
            <Lines label={`Differences: ${title.toLowerCase()}`} columns={COLUMNS}>
              <Differences of={differences} />
            </Lines>
          )}
        </section>
      ))}
      <Group>
        <CopyButton text={comparisonMarkdown(comparison, names)} what="Comparison" label="Copy as Markdown" />
      </Group>
    </>
  );
};

interface ChoiceProps {
  readonly own: LoginSide;
  readonly others: readonly Story[];
}

/** A login beside another one: at first the newest that ended in another way. */
const Choice = ({ own, others }: ChoiceProps) => {
  const { apps, faults } = own;
  const word = wordOf(own.story);
  const another = others.find((story) => wordOf(story) !== word) ?? others[0];
  const [right, setRight] = useState<LoginSide | undefined>(another && { story: another, apps, faults });
  const [file, setFile] = useState("");
  const { busy, run } = useAction(async (chosen: File) => {
    setRight(await readBundle(chosen));
    setFile(chosen.name);
  });
  const choose = (id: string): void => {
    const story = others.find((one) => one.id === id);
    if (story === undefined) return;
    setRight({ story, apps, faults });
    setFile("");
  };
  const data = others.map((story) => ({ value: story.id, label: nameOf(story) }));
  return (
    <Stack>
      <p>
        This login: <bdi>{nameOf(own.story)}</bdi>
      </p>
      <Group align="end">
        <NativeSelect
          label="Compare with"
          value={file === "" ? right?.story.id : ""}
          data={file === "" ? data : [{ value: "", label: file }, ...data]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
        <FileButton accept="application/json,.json" onChange={(chosen) => chosen && run(chosen)}>
          {(props) => (
            <Button {...props} loading={busy}>
              Downloaded login…
            </Button>
          )}
        </FileButton>
      </Group>
      {right === undefined ? (
        <p className="dim">No other logins yet. Sign in again, or open a downloaded one.</p>
      ) : (
        <Compared left={own} right={right} />
      )}
    </Stack>
  );
};

/** Shows two logins side by side. @param others to choose from, newest first. */
export const openComparison = (own: LoginSide, others: readonly Story[]): void =>
  openDialog("Two logins side by side", <Choice own={own} others={others} />, "900px");
