import { Button, Textarea } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { readMetadata } from "./draft.ts";
import classes from "./profile-form.module.css";

interface MetadataFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the server says of it. */
  readonly error: ReactNode;
}

const LEAST_ROWS = 6;
const MOST_ROWS = 18;

/** Metadata as JSON: says where it goes wrong while it is typed, and goes there. */
export const MetadataField = ({ value, onChange, error }: MetadataFieldProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const read = readMetadata(value);
  const rows = Math.min(MOST_ROWS, Math.max(LEAST_ROWS, value.split("\n").length + 1));
  const goThere = (offset: number): void => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, Math.min(value.length, offset + 1));
  };
  return (
    <div>
      <Textarea
        ref={area}
        name="metadata"
        label="Metadata"
        description="A JSON object. Keys in snake_case come back in camelCase."
        placeholder={'{ "plan": "pro" }'}
        error={"fault" in read ? read.fault : error}
        rows={rows}
        spellCheck={false}
        autoComplete="off"
        classNames={{ input: `mono ${classes.json}` }}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <div className={classes.tools}>
        {"fault" in read ? (
          <Button onClick={() => goThere(read.offset)}>Go to the fault</Button>
        ) : (
          <Button disabled={read.value === null} onClick={() => onChange(JSON.stringify(read.value, null, 2))}>
            Format
          </Button>
        )}
      </div>
    </div>
  );
};
