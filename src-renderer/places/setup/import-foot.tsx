import { Group, Kbd, Switch } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Imported } from "#client/index.ts";
import { announce, askFirst, TextButton } from "../../ui/action.tsx";
import { SAVE_KEYS } from "../../ui/keys.ts";
import { Wrong } from "../../ui/screen.tsx";
import { leaveSource } from "./source.ts";
import { countWords } from "./world-words.ts";

/** How an import treats what is there. */
export type ImportMode = "merge" | "replace";

interface ImportFootProps {
  readonly label: string;
  readonly isReady: boolean;
  /** What is being checked, or what is valid. */
  readonly status: string;
  readonly mode: ImportMode;
  readonly onMode: (mode: ImportMode) => void;
  /** What the other mode replaces: `Replace all other users`. */
  readonly replaces: string;
  /** What is asked first; empty: nothing. */
  readonly question: string;
  readonly send: (onSent: (share: number) => void) => Promise<Imported>;
  /** Of a check. */
  readonly error: unknown;
}

/** Below every plan: the import with its percent, and the way out. */
export const ImportFoot = (props: ImportFootProps) => {
  const { label, isReady, status, mode, onMode, replaces, question, send, error } = props;
  /** The share that is sent, in tenths, so that a screen reader does not read each step; null: none is. */
  const [tenths, setTenths] = useState<number | null>(null);
  const take = useMutation({
    mutationFn: () => send((share) => setTenths(Math.floor(share * 10))),
    onMutate: () => setTenths(0),
    onSuccess: (imported) => {
      announce(`Imported ${countWords(imported)}.`);
      leaveSource();
    },
    onSettled: () => setTenths(null),
  });
  const canStart = isReady && !take.isPending;
  const start = (): void => {
    if (question === "") take.mutate();
    else
      askFirst({
        title: mode === "merge" ? "Import the data?" : "Replace the data?",
        words: question,
        label: mode === "merge" ? "Import" : "Replace",
        onConfirm: () => take.mutate(),
      });
  };
  useHotkeys([["mod+Enter", () => canStart && document.querySelector('[role="dialog"]') === null && start()]], []);
  return (
    <>
      <Wrong error={take.error ?? error} />
      <Group my={16}>
        <TextButton
          variant="filled"
          disabled={!canStart && !take.isPending}
          rightSection={<Kbd aria-hidden>{SAVE_KEYS}</Kbd>}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          loading={take.isPending}
          onClick={start}
          label={label}
        />
        <TextButton disabled={take.isPending} onClick={() => leaveSource()} label="Cancel" />
        <Switch
          label={replaces}
          checked={mode === "replace"}
          onChange={(event) => {
            take.reset();
            onMode(event.currentTarget.checked ? "replace" : "merge");
          }}
        />
      </Group>
      <p role="status" className="dim">
        {tenths === null ? status : tenths < 10 ? `Sending: ${tenths * 10} %` : "Importing…"}
      </p>
    </>
  );
};

/** Instead of a plan: why there is none. */
export const NoPlan = ({ error }: { readonly error: unknown }) => (
  <>
    <Wrong error={error} />
    <TextButton mt={16} onClick={() => leaveSource()} label="Cancel" />
  </>
);
