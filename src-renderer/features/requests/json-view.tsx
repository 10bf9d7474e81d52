import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import classes from "./json-view.module.css";

/** Deeper than this is folded at first, and so is what is longer. */
const OPEN_DEPTH = 3;
const OPEN_LENGTH = 40;
/** Entries that are drawn at once. */
const STEP = 100;
/** Characters of a text that are drawn at first. */
const TEXT_LENGTH = 400;

type Entries = readonly (readonly [key: string, value: unknown])[];

const entriesOf = (value: object): Entries =>
  Array.isArray(value) ? value.map((item: unknown, index) => [String(index), item]) : Object.entries(value);

const Scalar = ({ value }: { readonly value: unknown }) => {
  const [whole, setWhole] = useState(false);
  if (typeof value !== "string")
    return <span data-kind={value === null ? "null" : typeof value}>{JSON.stringify(value)}</span>;
  const shown = whole || value.length <= TEXT_LENGTH ? value : value.slice(0, TEXT_LENGTH);
  return (
    <bdi data-kind="string">
      {JSON.stringify(shown)}
      {shown.length < value.length && (
        <UnstyledButton className={classes["more"] ?? ""} onClick={() => setWhole(true)}>
          {value.length - shown.length} more characters
        </UnstyledButton>
      )}
    </bdi>
  );
};

interface NodeProps {
  /** Absent: the whole, or an entry of a list. */
  readonly name?: string;
  readonly value: unknown;
  /** The keys that lead here, joined by dots. */
  readonly path: string;
  readonly depth: number;
  readonly marked: ReadonlySet<string>;
}

const Branch = ({ name, value, path, depth, marked }: NodeProps & { readonly value: object }) => {
  const entries = entriesOf(value);
  const [open, setOpen] = useState(depth < OPEN_DEPTH && (depth === 0 || entries.length <= OPEN_LENGTH));
  const [shown, setShown] = useState(STEP);
  const isList = Array.isArray(value);
  const [left, right] = isList ? ["[", "]"] : ["{", "}"];
  const [one, many] = isList ? ["entry", "entries"] : ["field", "fields"];
  const count = entries.length === 1 ? `1 ${one}` : `${entries.length} ${many}`;
  return (
    <>
      <UnstyledButton
        className={classes["toggle"] ?? ""}
        aria-expanded={open}
        aria-label={`${name ?? "Body"}, ${count}`}
        onClick={() => setOpen(!open)}
      >
        <span className={classes["arrow"]} aria-hidden="true">
          {open ? "▾" : "▸"}
        </span>
        {name !== undefined && <Key name={name} />}
        {left}
        {!open && <span className={classes["folded"]}> {count} </span>}
        {!open && right}
      </UnstyledButton>
      {open && (
        <>
          <ul className={classes["inner"]}>
            {entries.slice(0, shown).map(([key, item]) => (
              <li key={key}>
                <Node
                  {...(isList ? {} : { name: key })}
                  value={item}
                  path={isList ? path : path === "" ? key : `${path}.${key}`}
                  depth={depth + 1}
                  marked={marked}
                />
              </li>
            ))}
          </ul>
          {shown < entries.length && (
            <UnstyledButton className={classes["more"] ?? ""} onClick={() => setShown(shown + STEP)}>
              Show {Math.min(STEP, entries.length - shown)} more of {entries.length}
            </UnstyledButton>
          )}
          {right}
        </>
      )}
    </>
  );
};

const Key = ({ name }: { readonly name: string }) => (
  <bdi className={classes["key"]}>
    {JSON.stringify(name)}
    {": "}
  </bdi>
);

const Node = (props: NodeProps) => {
  const { name, value, path, marked } = props;
  const isMarked = path !== "" && name !== undefined && marked.has(path);
  const isBranch = typeof value === "object" && value !== null && entriesOf(value).length > 0;
  return (
    <div className={classes["node"]} data-ignored={isMarked || undefined}>
      {isBranch ? (
        <Branch {...props} value={value} />
      ) : (
        <>
          {name !== undefined && <Key name={name} />}
          <Scalar value={value} />
        </>
      )}
      {isMarked && <span className={classes["ignored"]}>ignored</span>}
    </div>
  );
};

/** A JSON value, coloured, in parts that fold. @param marked paths of fields that nothing read. */
export const JsonView = ({ value, marked = new Set() }: { value: unknown; marked?: ReadonlySet<string> }) => (
  <div className={`mono ${classes["view"]}`}>
    <Node value={value} path="" depth={0} marked={marked} />
  </div>
);
