import { Box, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { RequestRow } from "#client/index.ts";
import { BOUNDS } from "#contract/bounds.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { many } from "#contract/words/words.ts";
import { LinkButton } from "../../ui/action.tsx";
import look from "../../ui/block.module.css";
import { Block, CopyButton } from "../../ui/code.tsx";
import { Fact, Facts, Pill } from "../../ui/parts.tsx";
import { DetailPart } from "../../ui/screen.tsx";
import { TONES } from "../../ui/tones.ts";
import classes from "./message.module.css";

const OPEN_DEPTH = 3;
const OPEN_LENGTH = 40;
/** Entries rendered at a time. */
const STEP = 100;
/** Characters of a text rendered at first. */
const TEXT_LENGTH = 400;
const COLOURS: Readonly<Record<string, string>> = {
  string: TONES.ok[1],
  number: TONES.info[1],
  boolean: TONES.warn[1],
};

const Scalar = ({ value }: { readonly value: unknown }) => {
  const [most, setMost] = useState(TEXT_LENGTH);
  const more = typeof value === "string" ? value.length - most : 0;
  return (
    <bdi style={{ color: value === null ? TONES.warn[1] : COLOURS[typeof value] }}>
      {JSON.stringify(typeof value === "string" ? value.slice(0, most) : value)}
      {more > 0 && (
        <LinkButton warn onClick={() => setMost(Number.POSITIVE_INFINITY)}>
          {more} more characters
        </LinkButton>
      )}
    </bdi>
  );
};

interface NodeProps {
  /** Absent for the root, or an entry of an array. */
  readonly name?: string | undefined;
  readonly value: unknown;
  /** The keys to this value, joined by dots. */
  readonly path: string;
  readonly depth: number;
  readonly marked: ReadonlySet<string>;
}

const Branch = ({ name, value, path, depth, marked }: NodeProps & { readonly value: object }) => {
  const entries = Object.entries(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (depth === 0 || entries.length <= OPEN_LENGTH));
  const [shown, setShown] = useState(STEP);
  const isList = Array.isArray(value);
  const [left, right] = isList ? "[]" : "{}";
  const count = isList ? many(entries.length, "entry", "entries") : many(entries.length, "field");
  return (
    <>
      <UnstyledButton
        className={classes["toggle"] ?? ""}
        aria-expanded={open}
        aria-label={`${name ?? "Body"}, ${count}`}
        onClick={() => setOpen(!open)}
      >
        <span className="dim" aria-hidden="true">
          {open ? "▾ " : "▸ "}
        </span>
        <Key name={name} />
        {left}
        {!open && <span className="dim"> {count} </span>}
        {!open && right}
      </UnstyledButton>
      {open && (
        <>
          <ul>
            {entries.slice(0, shown).map(([key, item]: [string, unknown]) => (
              <li key={key}>
                <Node
                  name={isList ? undefined : key}
                  value={item}
                  path={isList ? path : path === "" ? key : `${path}.${key}`}
                  depth={depth + 1}
                  marked={marked}
                />
              </li>
            ))}
          </ul>
          {shown < entries.length && (
            <LinkButton warn onClick={() => setShown(shown + STEP)}>
              Show {Math.min(STEP, entries.length - shown)} more of {entries.length}
            </LinkButton>
          )}
          {right}
        </>
      )}
    </>
  );
};

const Key = ({ name }: Partial<NodeProps>) => name !== undefined && <bdi>{`${JSON.stringify(name)}: `}</bdi>;

const Node = (props: NodeProps) => {
  const { name, value, path, marked } = props;
  const isMarked = path !== "" && name !== undefined && marked.has(path);
  const isBranch = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  return (
    <div data-ignored={isMarked || undefined}>
      {!isBranch && <Key name={name} />}
      {isBranch ? <Branch {...props} value={value} /> : <Scalar value={value} />}
      {isMarked && <Pill warn>ignored</Pill>}
    </div>
  );
};

const encoder = new TextEncoder();
/** A truncated body can be this much shorter than the limit, because characters are not split. */
const SLACK_BYTES = 3;
const isCut = (body: string): boolean => encoder.encode(body).length >= BOUNDS.logBodyBytes.most - SLACK_BYTES;

const Headers = ({ headers }: Pick<RequestRow["request"], "headers">) => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  if (lines.length === 0) return <p className="small">No headers.</p>;
  return (
    <details className="small">
      <summary>{many(lines.length, "header")}</summary>
      <Facts names={152}>
        {lines.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the headers of a row never change
          <Fact key={index} name={<span className="mono">{name}</span>}>
            <bdi className="mono">{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </details>
  );
};

interface MessagePartProps {
  readonly title: string;
  readonly message: RequestRow["request"];
  readonly ignored?: readonly string[];
}

/** One direction of an exchange: collapsible headers, and the body. */
export const MessagePart = ({ title, message: { headers, body }, ignored = [] }: MessagePartProps) => {
  const value = parsedJson(body);
  return (
    <DetailPart title={title}>
      <Headers headers={headers} />
      {body ? (
        <Box pos="relative">
          {value === undefined ? (
            <Block label="Body">{body}</Block>
          ) : (
            <div className={`mono ${look["block"]} ${classes["json"]}`}>
              <Node value={value} path="" depth={0} marked={new Set(ignored)} />
            </div>
          )}
          {isCut(body) && <p className="small">The log keeps the first 16 KiB of a body; the rest is not shown.</p>}
          <Box pos="absolute" top={4} right={4}>
            <CopyButton text={body} what={`${title} body`} size="compact-xs" />
          </Box>
        </Box>
      ) : (
        <p className="small">No body.</p>
      )}
      {ignored.length > 0 && (
        <p className="small">
          <bdi className="mono">{ignored.join(", ")}</bdi> {ignored.length === 1 ? "is" : "are"} ignored.
        </p>
      )}
    </DetailPart>
  );
};
