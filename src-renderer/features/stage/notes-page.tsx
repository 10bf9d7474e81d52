import { Box, Group, Stack } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useState } from "react";
import { useSearch } from "wouter";
import { TextButton } from "../../ui/action.tsx";
import { Code } from "../../ui/code.tsx";
import { useRealNow, useTicks } from "../../ui/parts.tsx";
import { leftWords } from "../../ui/words.ts";
import { keepFocus } from "./foot.tsx";
import { keptStages } from "./kept.ts";
import { type NotesState, useStageOf } from "./notes-channel.ts";
import { useLanguage } from "./use-language.ts";
import { useStageKeys } from "./use-stage-keys.ts";
import { words } from "./words.ts";

const clock = new Intl.DateTimeFormat("en-US", { timeStyle: "medium", hourCycle: "h23" });
const DIGITS = [..."123456789"];

interface NotesProps {
  readonly state: NotesState;
  readonly press: (cap: string) => void;
}

const Notes = ({ state, press }: NotesProps) => {
  const { coming, done, steps, stands, code, said, beganAt, keys } = state;
  const [next = words().showIsOver, ...later] = coming;
  const nowMs = useRealNow();
  const pressed = (cap: string) => [cap, () => press(cap)] as const;
  useStageKeys(Object.fromEntries([...keys.map(({ cap }) => cap), ...DIGITS, "next", "back"].map(pressed)));
  return (
    <>
      <Group component="header" justify="space-between" fz={20} className="mono">
        <time>{clock.format(nowMs)}</time>
        <span role="timer" aria-label={words().sinceStart}>
          {leftWords(beganAt === null ? 0 : nowMs - beganAt)}
        </span>
      </Group>
      <section aria-label={words().comesNext}>
        <p className="dim">
          {words().comesNext}
          {steps > 0 && ` · ${words().page(Math.min(done + 1, steps), steps)}`}
        </p>
        <Box component="p" fz={30} fw={600} lh={1.25} data-testid="next">
          <bdi>{next}</bdi>
        </Box>
        <ol className="dim">
          {later.map((step, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same step may come twice
            <li key={at}>
              <bdi>{step}</bdi>
            </li>
          ))}
        </ol>
      </section>
      <section aria-label={words().onStage}>
        <p className="dim">{words().onStage}</p>
        <Group fz={20} justify="space-between">
          <span role="status">{said === "" ? stands : <Box c="var(--sd-accent-text)">{said}</Box>}</span>
          {code !== "" && <Code code={code} look="live" />}
        </Group>
      </section>
      <Group grow>
        <TextButton
          size="lg"
          keys="PgUp"
          label={words().doBack}
          onMouseDown={keepFocus}
          onClick={() => press("back")}
        />
        <TextButton
          size="lg"
          keys="PgDn"
          variant="filled"
          label={words().doNext}
          onMouseDown={keepFocus}
          onClick={() => press("next")}
        />
      </Group>
      <Group component="ul" gap={8} aria-label={words().keys}>
        {keys.map(({ cap, label, on }) => (
          <li key={cap}>
            <TextButton keys={cap} label={label} aria-pressed={on} onMouseDown={keepFocus} onClick={() => press(cap)} />
          </li>
        ))}
      </Group>
    </>
  );
};

/** The notes of a presenter: what comes next, the time and the keys, in step with a stage in another window. */
export const NotesPage = () => {
  useTicks();
  const search = new URLSearchParams(useSearch());
  const isSpoken = useLanguage(search.get("lang"));
  useDocumentTitle(`${words().notes} – Stagedoor`);
  const asked = search.get("stage");
  const [state, setState] = useState<NotesState | null>(null);
  const press = useStageOf(asked ?? keptStages()[0]?.appId ?? "", setState);
  if (!isSpoken) return null;
  return (
    <Stack component="main" gap={24} p={24} mih="100%" lh={1.5}>
      <h1 className="spoken">{words().notes}</h1>
      {state === null ? <p role="status">{words().noStage}</p> : <Notes state={state} press={press} />}
    </Stack>
  );
};
