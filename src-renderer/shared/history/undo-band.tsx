/**
 * Undo. The server's timeline holds what was done in any window of the console, so there are several
 * levels, and every window has the same, also after a reload. A band offers it on the screen where a change arrived.
 */
import { Group, Kbd } from "@mantine/core";
import { useIsMutating, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { create } from "zustand";
import { StagedoorError, type TimelineItem } from "#client/index.ts";
import type { Screen } from "#contract/control/screens.ts";
import { cache, readAgain } from "../../api/cache.ts";
import { emulator, explain } from "../../api/emulator.ts";
import { announce, askFirst, complain, LinkButton, RowButton, useAction } from "../../ui/action.tsx";
import { readPath } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { CANNOT_BE_UNDONE } from "../../ui/words.ts";
import { historyQuery } from "./queries.ts";

/** A further step. */
interface Step {
  readonly label: string;
  readonly act: () => Promise<unknown>;
}

interface Band {
  /** The change in the band. */
  readonly seq: number | null;
  /** The newest change that this page knows; undefined until the first are loaded. */
  readonly newest: number | undefined;
  /** What is said instead of a change, with a further step; `isBack`: the step takes it back, also by the key `u`. */
  readonly note: { readonly words: string; readonly step: Step | undefined; readonly isBack?: boolean } | null;
  /** Where the band is shown. */
  readonly at: Screen | undefined;
  /** Why the change cannot be undone. */
  readonly refused: string | null;
  /** A further step for a change. */
  readonly more: (Step & { readonly seq: number }) | null;
}

const NONE = { seq: null, note: null, refused: null } as const;
const useBand = create((): Band => ({ ...NONE, newest: undefined, at: undefined, more: null }));

const show = (what: Partial<Band>): void =>
  useBand.setState({ ...NONE, at: readPath(window.location.pathname).screen, ...what });

const known = (): readonly TimelineItem[] => cache.getQueryData(historyQuery().queryKey)?.items ?? [];

/** Offers a way back from what the server's timeline does not hold, until the next change. */
export const offerBack = async (words: string, back: () => Promise<unknown>): Promise<void> => {
  await readAgain("history");
  show({ note: { words, step: { label: "Undo", act: back }, isBack: true }, newest: known()[0]?.seq ?? 0 });
};

/** Says that there was nothing to change, and offers a further step. */
export const offerInstead = (words: string, step: Step | undefined): void => show({ note: { words, step } });

/** Offers a further step in the band of a change. */
export const offerMore = (seq: number, step: Step): void => useBand.setState({ more: { seq, ...step } });

/** @returns what a change did, and to whom or in which app. */
export const historyWords = ({ what, user, app }: TimelineItem): string =>
  [what, ...(user !== undefined && what.includes(user) ? [] : [user ?? app])].filter(Boolean).join(" · ");

/**
 * Undoes a change, or an undo; asks first if there is no way back.
 * @throws StagedoorError that names who is in the way
 */
export const undoItem = async (item: TimelineItem): Promise<void> => {
  const order = { undo: item.seq };
  const isUndo = item.undoes !== undefined;
  const run = async (): Promise<void> => {
    await emulator.rewind(order);
    await readAgain("history");
    announce(isUndo ? "Redone" : `Undone: ${historyWords(item)}`);
  };
  const { undoable } = await emulator.rewind(order, { dryRun: true });
  if (undoable !== false) return await run();
  const label = isUndo ? "Redo" : "Undo";
  askFirst({
    title: `${label} “${historyWords(item)}”?`,
    words: CANNOT_BE_UNDONE,
    label,
    onConfirm: () => void run().catch(complain),
  });
};

/** Like `undoItem`; the band says who is in the way. */
const undoChange = async (item: TimelineItem): Promise<void> => {
  try {
    await undoItem(item);
  } catch (error) {
    if (!(error instanceof StagedoorError) || ![404, 409, 410].includes(error.status)) throw error;
    show({ seq: item.seq, refused: explain(error) });
  }
};

interface FootStripProps {
  readonly label: string;
  readonly words: ReactNode;
  readonly children: ReactNode;
}

/** One line at the foot: what happened, and what can be done about it. */
const FootStrip = ({ label, words, children }: FootStripProps) => (
  <Group component="section" gap={12} wrap="nowrap" aria-label={label}>
    <span className="cut">{words}</span>
    {children}
    <LinkButton onClick={() => show({})}>Dismiss</LinkButton>
  </Group>
);

/** With a space, which screen readers pause at. */
const UNDO_KEY = (
  <>
    {" "}
    <Kbd>u</Kbd>
  </>
);

const StripOfChange = ({ item, items }: { readonly item: TimelineItem; readonly items: readonly TimelineItem[] }) => {
  const { refused, more } = useBand();
  const isUndo = item.undoes !== undefined;
  const { busy, run } = useAction(undoChange);
  const isActing = useIsMutating() > 0;
  const of = items.find(({ seq }) => seq === item.undoes) ?? item;
  return (
    <FootStrip
      label={isUndo ? "Last undo" : "Last change"}
      words={
        <>
          {isUndo && "Undone: "}
          <bdi>{historyWords(of)}</bdi>.{" "}
          {refused !== null && (
            <span role="alert" className="bad">
              {refused}
            </span>
          )}
        </>
      }
    >
      {more?.seq === item.seq && <RowButton {...more} />}
      <LinkButton disabled={isActing || busy} onClick={() => run(item)}>
        {isUndo ? "Redo" : refused === null ? "Undo" : "Try again"}
        {!isUndo && UNDO_KEY}
      </LinkButton>
    </FootStrip>
  );
};

const StripOfNote = ({ note: { words, step, isBack = false } }: { readonly note: NonNullable<Band["note"]> }) => {
  const { busy, run } = useAction(async () => {
    await step?.act();
    if (!isBack) return;
    show({});
    announce("Undone");
  });
  useKeys({ u: () => (isBack ? run() : false) });
  return (
    <FootStrip label="Last change" words={words}>
      {step && (
        <LinkButton disabled={busy} onClick={() => run()}>
          {step.label}
          {isBack && UNDO_KEY}
        </LinkButton>
      )}
    </FootStrip>
  );
};

interface UndoStripProps {
  readonly screen: Screen | undefined;
  /** What stands there while there is nothing to undo. */
  readonly otherwise: ReactNode;
}

/** The newest change that arrived on this screen, until it is dismissed. The key `u` undoes level by level anywhere. */
export const UndoStrip = ({ screen, otherwise }: UndoStripProps) => {
  const { seq, newest, note, at } = useBand();
  const { data } = useQuery(historyQuery());
  const items = data?.items ?? [];
  const last = data === undefined ? undefined : (items[0]?.seq ?? 0);
  useEffect(() => {
    if (last === undefined || last === newest) return;
    if (newest === undefined || last < newest) useBand.setState({ newest: last });
    else show({ seq: last, newest: last });
  }, [last, newest]);
  const shown = items.find((item) => item.seq === seq && item.undone !== true);
  const { run } = useAction(undoChange);
  const isActing = useIsMutating() > 0;
  useKeys({
    u: () => {
      if (isActing || (note?.isBack === true && screen === at)) return false;
      const top = shown?.undoes === undefined ? shown : undefined;
      const next = top ?? items.find(({ undoes, undone }) => undoes === undefined && undone !== true);
      return next === undefined ? false : run(next);
    },
  });
  if (screen !== at) return otherwise;
  if (note !== null) return <StripOfNote note={note} />;
  return shown === undefined ? otherwise : <StripOfChange key={shown.seq} item={shown} items={items} />;
};
