import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { addFault, type Fault } from "../../api/faults.ts";
import { statusQuery } from "../../api/queries.ts";
import type { App } from "../../api/records.ts";
import { RequestFailed, wordsOf } from "../../api/request-failed.ts";
import { announce } from "../../ui/announcer.tsx";
import { AskDiscard } from "../../ui/ask-discard.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { DetailPart } from "../../ui/detail-panel.tsx";
import type { DraftForm } from "../../ui/use-draft.ts";
import { faultCurl } from "./fault-curl.ts";
import { type Draft, readDraft } from "./fault-draft.ts";
import { FaultFields } from "./fault-fields.tsx";
import type { Preset } from "./fault-presets.ts";
import { effectWords, matchWords, timesWords } from "./fault-words.ts";
import classes from "./faults.module.css";

interface FaultFormProps {
  readonly form: DraftForm<Draft>;
  /** What an empty recipient of a preset for one user would mean. */
  readonly preset: Preset | undefined;
  readonly apps: readonly App[];
  readonly nameOf: (appId: string) => string;
  readonly onSet: (fault: Fault) => void;
  readonly onClose: () => void;
}

const lowered = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

type Wrong = Readonly<Record<string, readonly string[]>>;
const NOTHING_WRONG: Wrong = {};
const NO_RECIPIENT: Wrong = { "match.to": ["Give the number or address of the user."] };

/** The fields of a new fault, what it will do in a sentence, and the same as a command. */
export const FaultForm = ({ form, preset, apps, nameOf, onSet, onClose }: FaultFormProps) => {
  const { draft } = form;
  const [tries, setTries] = useState(0);
  const element = useRef<HTMLFormElement>(null);
  const { data: status } = useQuery(statusQuery());
  const read = readDraft(draft);
  const lacksUser = preset?.oneUser === true && draft.to.trim() === "";
  const set = useMutation({
    mutationFn: addFault,
    onSuccess: (fault) => {
      announce(`Set: ${effectWords(fault.effect)}`);
      form.drop();
      onSet(fault);
    },
  });
  const refused: Wrong = set.error instanceof RequestFailed ? set.error.fields : NOTHING_WRONG;
  const own: Wrong = "wrong" in read ? read.wrong : lacksUser ? NO_RECIPIENT : NOTHING_WRONG;
  const wrong: Wrong = { ...refused, ...(tries > 0 ? own : NOTHING_WRONG) };
  // A preset is set by Enter; one for a user asks for the user first.
  useEffect(() => {
    const field = preset === undefined ? "select" : preset.oneUser ? "input[list]" : "button[type='submit']";
    element.current?.querySelector<HTMLElement>(field)?.focus();
  }, [preset]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: anew at each try, and when the server refuses
  useEffect(() => {
    element.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [tries, set.error]);
  return (
    <form
      ref={element}
      className={classes.form}
      noValidate
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        form.leave(onClose);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        form.keep();
        setTries(tries + 1);
        if ("input" in read && !lacksUser) set.mutate(read.input);
      }}
    >
      {form.found && <p className={classes.quiet}>You typed this before and did not set it.</p>}
      <FaultFields
        draft={draft}
        wrong={wrong}
        apps={apps}
        onChange={(change) => {
          set.reset();
          form.change(change);
        }}
      />
      {status && "input" in read && (
        <DetailPart title="The same from a terminal">
          <CodeBlock what="Command" text={faultCurl(status.urls.console, read.input)} />
        </DetailPart>
      )}
      {form.asking ? (
        <AskDiscard className={classes.save} onDiscard={form.discard} onKeep={form.keep} />
      ) : (
        <div className={classes.save}>
          <p className={classes.quiet} data-testid="fault-sentence">
            {"input" in read && !lacksUser && (
              <>
                <bdi>{matchWords(read.input.match ?? {}, nameOf)}</bdi>: {lowered(effectWords(read.input.effect))},{" "}
                {timesWords(read.input.times ?? null)}.
              </>
            )}
          </p>
          {set.isError && Object.keys(refused).length === 0 && (
            <p role="alert" className={classes.error}>
              {wordsOf(set.error)}
            </p>
          )}
          <Button type="submit" variant="filled" loading={set.isPending}>
            Set this fault
          </Button>
        </div>
      )}
    </form>
  );
};
