/** The changes since a snapshot as a virtual list with lines of any height. */
import { Box, Button, Group, TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { SnapshotDiff } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf, useApps, useProfile } from "../../api/queries.ts";
import { textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { TONES } from "../../ui/tones.ts";
import { changesIn, type DiffLine, diffLines, type RecordChange } from "./diff-lines.ts";
import classes from "./diff-list.module.css";
import { DIFF_LIMIT } from "./snapshot-queries.ts";

const LINE_HEIGHT = 28;
const OVERSCAN = 12;
/** Fewer lines need no filter. */
const MANY = 12;

const SIGNS = { changed: ["~", "info"], added: ["+", "ok"], removed: ["−", "bad"] } as const;

const UserName = ({ appId, userId }: { readonly appId: string; readonly userId: string }) => (
  <bdi>{nameOf(useProfile(appId, userId))}</bdi>
);

const Value = ({ text }: { readonly text: string | null }) => (
  <bdi className={text === null ? "dim" : undefined}>{text ?? "nothing"}</bdi>
);

const RecordView = ({ record }: { readonly record: RecordChange }) => {
  const { change, title, about, appId, userId, fields } = record;
  const { appName } = useApps();
  const [sign, tone] = SIGNS[change];
  return (
    <>
      <div className={classes["record"]}>
        <span className="mono" style={{ color: TONES[tone][1] }} aria-hidden="true">
          {sign}
        </span>
        <span>
          <span className="spoken">{change} </span>
          <strong>
            <bdi>{title}</bdi>
          </strong>
          {userId !== null && appId !== null && (
            <>
              {title === "" ? "Session of " : " of "}
              <UserName appId={appId} userId={userId} />
            </>
          )}{" "}
          <bdi className="dim">{recipientText(about)}</bdi>
        </span>
        <bdi className="small">{appId === null ? "all apps" : appName(appId)}</bdi>
      </div>
      {fields.map(({ path, before, after }) => (
        <div key={path} className={classes["field"]}>
          <bdi className="mono dim">
            {/* Allows a line break after each dot. */}
            {path.split(/(?<=\.)/).map((key, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the keys of one path never move
              <Fragment key={i}>
                {i > 0 && <wbr />}
                {key}
              </Fragment>
            ))}
          </bdi>
          <span>
            <Value text={before} />
            <span className="dim"> → </span>
            <Value text={after} />
          </span>
        </div>
      ))}
    </>
  );
};

const DiffLineView = ({ line }: { readonly line: DiffLine }) =>
  "words" in line ? (
    <Box component="h3" pt={16} pb={4} fz={13} style={{ borderBottom: "1px solid var(--sd-line)" }}>
      {line.words} {line.cut && <span className="dim">more not shown</span>}
    </Box>
  ) : (
    <RecordView record={line} />
  );

const Lines = ({ lines }: { readonly lines: readonly DiffLine[] }) => {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // The list starts somewhere inside the scrolling panel.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => list.current?.offsetParent ?? null,
    estimateSize: () => LINE_HEIGHT,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  return (
    <ul ref={list} className={classes["lines"]} aria-label="Changes" style={{ height: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ index, start, key }) => {
        const line = lines[index];
        return (
          line && (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              aria-setsize={lines.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <DiffLineView line={line} />
            </li>
          )
        );
      })}
    </ul>
  );
};

/** The changes with a filter, which is in the URL. */
export const DiffList = ({ diff }: { readonly diff: SnapshotDiff }) => {
  const { address, go } = useAddress();
  const sought = useDeferredValue(address.q);
  const lines = useMemo(() => diffLines(diff, DIFF_LIMIT, sought), [diff, sought]);
  const seek = (q: string): void => go({ q }, { replace: true });
  return (
    <>
      {(changesIn(diff.counts) > MANY || address.q !== "") && (
        <TextInput
          type="search"
          mb={8}
          aria-label="Filter changes"
          placeholder="Filter by name, field or value"
          {...textField(address.q, seek)}
        />
      )}
      {lines.length > 0 ? (
        <Lines lines={lines} />
      ) : (
        <Group justify="space-between" className="dim">
          <p>Nothing found for “{sought}”.</p>
          <Button onClick={() => seek("")}>Show all changes</Button>
        </Group>
      )}
    </>
  );
};
