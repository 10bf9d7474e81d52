import { Box, Button, Textarea } from "@mantine/core";
import { useRef } from "react";
import { TextButton } from "../../ui/action.tsx";
import type { Field } from "../../ui/form.tsx";
import { readMetadata } from "./profile-words.ts";

interface MetadataFieldProps {
  readonly field: Field;
  readonly onChange: (text: string) => void;
}

/** A JSON field for metadata that shows syntax errors while typing, and jumps to them. */
export const MetadataField = ({ field, onChange }: MetadataFieldProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const { value } = field;
  const read = readMetadata(value);
  const jumpTo = (offset: number): void => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, Math.min(value.length, offset + 1));
  };
  return (
    <div>
      <Textarea
        {...field}
        ref={area}
        label="Metadata"
        description="A JSON object. snake_case keys are returned in camelCase."
        placeholder={'{ "plan": "pro" }'}
        error={"fault" in read ? read.fault : field.error}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        classNames={{ input: "mono" }}
      />
      <Box mt={8}>
        {"fault" in read ? (
          <Button onClick={() => jumpTo(read.offset)}>Jump to error</Button>
        ) : (
          <TextButton
            disabled={read.value === null}
            onClick={() => onChange(JSON.stringify(read.value, null, 2))}
            label="Format"
          />
        )}
      </Box>
    </div>
  );
};
