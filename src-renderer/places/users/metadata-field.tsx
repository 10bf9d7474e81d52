import { Box, Button, Group, Textarea } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Profile } from "#client/index.ts";
import { saveProfile } from "../../api/actions.ts";
import { keyOf } from "../../api/profile-pages.ts";
import { announce, onSubmit, TextButton } from "../../ui/action.tsx";
import { type Field, keepDrafts, useForm } from "../../ui/form.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Wrong } from "../../ui/screen.tsx";
import { changeOf, metadataErrors, type ProfileDraft, profileDraftOf, readMetadata } from "./profile-words.ts";

const LEAST_ROWS = 6;
const MOST_ROWS = 18;

interface MetadataFieldProps {
  readonly field: Field;
  readonly onChange: (text: string) => void;
  /** In a detail, below its heading, instead of in a form. */
  readonly inPlace?: boolean;
}

/** A JSON field for metadata that shows syntax errors while typing, and jumps to them. */
export const MetadataField = ({ field, onChange, inPlace = false }: MetadataFieldProps) => {
  const area = useRef<HTMLTextAreaElement>(null);
  const { value } = field;
  const read = readMetadata(value);
  const rows = Math.min(MOST_ROWS, Math.max(inPlace ? 2 : LEAST_ROWS, value.split("\n").length + Number(!inPlace)));
  const jumpTo = (offset: number): void => {
    area.current?.focus();
    area.current?.setSelectionRange(offset, Math.min(value.length, offset + 1));
  };
  return (
    <div>
      <Textarea
        {...field}
        ref={area}
        {...(inPlace
          ? { "aria-label": "Metadata" }
          : { label: "Metadata", description: "A JSON object. snake_case keys are returned in camelCase." })}
        placeholder={'{ "plan": "pro" }'}
        error={"fault" in read ? read.fault : field.error}
        rows={rows}
        spellCheck={false}
        classNames={{ input: "mono" }}
      />
      <Box mt={8}>
        {"fault" in read ? (
          <Button onClick={() => jumpTo(read.offset)}>Jump to error</Button>
        ) : inPlace ? null : (
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

const drafts = keepDrafts<Pick<ProfileDraft, "metadata">>();

/** The metadata in a profile's detail, edited in place. */
export const MetadataPart = ({ profile }: { readonly profile: Profile }) => {
  const whole = profileDraftOf(profile);
  const form = useForm({
    drafts,
    id: keyOf(profile),
    first: { metadata: whole.metadata },
    check: metadataErrors,
    save: (draft, base) => saveProfile(profile, changeOf({ ...whole, ...base }, { ...whole, ...draft })),
    onSaved: () => announce("Metadata saved"),
  });
  const { dirty, answer } = form;
  const field = () => form.element.current?.querySelector("textarea");
  useKeys({ m: () => field()?.focus() });
  const isOld = !dirty && form.draft.metadata !== whole.metadata;
  // Changed elsewhere, or saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `answer` is another one on each render
  useEffect(() => {
    if (isOld) answer(true);
  }, [isOld]);
  return (
    <form
      ref={form.element}
      aria-label="Metadata"
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.submit();
        else if (event.key === "Escape") field()?.blur();
      }}
      {...onSubmit(() => form.submit())}
    >
      <MetadataField inPlace field={form.text("metadata")} onChange={(metadata) => form.change({ metadata })} />
      <Wrong error={form.fault()} />
      {form.dirty && (
        <Group mt={8}>
          <TextButton type="submit" variant="filled" loading={form.busy} label="Save metadata" />
          <TextButton quiet onClick={() => form.answer(true)} label="Discard" />
        </Group>
      )}
    </form>
  );
};
