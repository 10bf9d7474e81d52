/** Forms. Input is kept while another row or screen is shown, and discarding it needs confirmation; errors from the
 * server are shown at their field, or else above the buttons. */
import { Group, Kbd, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { FieldErrors } from "#client/index.ts";
import { fieldsOf } from "../api/emulator.ts";
import { onSubmit, TextButton, textField } from "./action.tsx";
import { SAVE_KEYS } from "./keys.ts";
import { PanelFoot, Wrong } from "./screen.tsx";

/** The drafts of one kind of form, by record: the initial values (unaffected by changes elsewhere), and the input. */
type Drafts<T> = Map<string, { readonly base: T; readonly draft: T }>;

const kinds: ReadonlyMap<string, unknown>[] = [];
window.addEventListener("beforeunload", (event) => {
  if (kinds.some((kept) => kept.size > 0)) event.preventDefault();
});

/** @returns storage for the drafts of one kind of form; create it once per module. */
export const keepDrafts = <T,>(): Drafts<T> => {
  const kept: Drafts<T> = new Map();
  kinds.push(kept);
  return kept;
};

const sameFields = (a: object, b: object): boolean =>
  JSON.stringify(Object.entries(a).toSorted()) === JSON.stringify(Object.entries(b).toSorted());
type TextField<T> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string;

/** Props of an input field. */
export interface Field extends ReturnType<typeof textField> {
  readonly name: string;
  readonly error: string | null;
  readonly autoComplete: "off";
}

interface FormOptions<T, R> {
  readonly drafts: Drafts<T>;
  readonly id: string;
  readonly first: T;
  /** Whether two drafts are equal: only a changed draft is kept and needs confirmation. */
  readonly same?: (a: T, b: T) => boolean;
  /** The errors of a draft by field; shown after a submit. */
  readonly check?: (draft: T) => FieldErrors;
  readonly save: (draft: T, base: T) => Promise<R>;
  /** @param more whether the form continues with another one. */
  readonly onSaved: (result: R, more: boolean) => void;
}

const NONE: FieldErrors = {};

/** @returns the state of a form: its draft and actions. */
export const useForm = <T extends object, R>(options: FormOptions<T, R>) => {
  const { drafts, id, first, same = sameFields, check = () => NONE, save, onSaved } = options;
  const element = useRef<HTMLFormElement>(null);
  const [before, setBefore] = useState(() => drafts.get(id));
  const [{ base, draft }, setTyped] = useState(before ?? { base: first, draft: first });
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const [tries, setTries] = useState(0);
  const [refused, setRefused] = useState<FieldErrors>(NONE);
  const dirty = !same(base, draft);
  const [was, is] = [base, first].map((values) => new Map(Object.entries(values)));
  const elsewhere = [...(is ?? [])].flatMap(([name, value]) =>
    JSON.stringify(value) === JSON.stringify(was?.get(name)) ? [] : name,
  );
  useEffect(() => {
    if (dirty) drafts.set(id, { base, draft });
    else drafts.delete(id);
  }, [drafts, id, base, draft, dirty]);

  const reset = (): void => {
    drafts.delete(id);
    setBefore(undefined);
    setLeaving(null);
    setTries(0);
    setRefused(NONE);
    saving.reset();
    setTyped({ base: first, draft: first });
  };
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const saving = useMutation({
    mutationFn: (_more: boolean) => save(draft, base),
    onSuccess: (result, more) => {
      reset();
      // Once the form has been left, an answer that comes late leads nowhere.
      if (isHere.current) onSaved(result, more);
    },
    onError: (error) => setRefused(fieldsOf(error)),
  });
  // In a long form the error can be far from the button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each submit, and on errors from the server
  useEffect(() => {
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid='true']");
    wrong?.scrollIntoView({ block: "nearest" });
    wrong?.focus({ preventScroll: true });
  }, [tries, saving.error]);

  const checked = check(draft);
  const wrong = { ...refused, ...(tries > 0 ? checked : NONE) };
  const shown = new Set<string>();
  const errorOf = (at: string): string | null => {
    shown.add(at);
    return wrong[at]?.join(", ") ?? null;
  };
  const change = (part: Partial<T>): void => setTyped((now) => ({ ...now, draft: { ...now.draft, ...part } }));
  return {
    element,
    draft,
    dirty,
    found: before !== undefined && dirty,
    /** Fields that have changed elsewhere while the form was open. */
    elsewhere,
    asking: leaving !== null && dirty,
    busy: saving.isPending,
    /** @returns an error that no field shows, once all fields have been rendered. */
    fault: (): unknown => (Object.keys(refused).some((at) => shown.has(at)) ? null : saving.error),
    change,
    /** @param at the field's name in errors, if different. */
    text: (name: TextField<T>, at: string = name): Field => ({
      name,
      error: errorOf(at),
      autoComplete: "off",
      ...textField(String(draft[name]), (value) => {
        setRefused(({ [at]: _, ...others }) => others);
        setTyped((now) => ({ ...now, draft: { ...now.draft, [name]: value } }));
      }),
    }),
    submit: (more = false) => {
      if (saving.isPending) return;
      setLeaving(null);
      setTries(tries + 1);
      if (Object.keys(checked).length === 0) saving.mutate(more);
    },
    /** Runs an action that would lose the draft; asks first if there is one. */
    leave: (go: () => void) => {
      if (dirty) setLeaving(() => go);
      else go();
    },
    /** The user's decision whether to discard the draft. */
    answer: (discard: boolean) => {
      if (!discard) return setLeaving(null);
      reset();
      leaving?.();
    },
  };
};

export type FormState<T extends object> = ReturnType<typeof useForm<T, unknown>>;

/** Asks whether to discard the draft. */
const AskDiscard = ({ onAnswer }: { readonly onAnswer: (discard: boolean) => void }) => (
  <Group role="alert">
    <p>Discard your changes?</p>
    <TextButton autoFocus onClick={() => onAnswer(false)} label="Keep editing" />
    <TextButton color="red" onClick={() => onAnswer(true)} label="Discard" />
  </Group>
);

interface FormProps<T extends object> {
  readonly of: FormState<T>;
  readonly label?: string;
  readonly submit: string;
  readonly disabled?: boolean;
  /** Whether Enter alone may insert a new line; the button then shows the shortcut that submits. */
  readonly keys?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly hint?: ReactNode;
  readonly more?: ReactNode;
}

/** The frame of a form: Enter, Ctrl Enter and Esc, errors, and buttons that stay visible however long it is. */
export const Form = <T extends object>(props: FormProps<T>) => {
  const { of: form, label, submit, disabled = false, keys = false, onClose, children, hint, more } = props;
  return (
    <form
      ref={form.element}
      noValidate
      aria-label={label}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Escape") form.leave(onClose);
        else if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
          form.submit(Boolean(more) && event.shiftKey);
        else return;
        event.preventDefault();
      }}
      {...onSubmit(() => disabled || form.submit())}
    >
      <Stack gap={16}>
        {form.found && <p className="dim">Restored your unsaved changes.</p>}
        {form.elsewhere.length > 0 && (
          <p className="warn" role="status">
            Changed elsewhere: {form.elsewhere.join(", ")}. Save changes only the fields that you edited.
          </p>
        )}
        {children}
      </Stack>
      <PanelFoot>
        {hint}
        <Wrong error={form.fault()} />
        {form.asking ? (
          <AskDiscard onAnswer={form.answer} />
        ) : (
          <>
            <TextButton
              type="submit"
              variant="filled"
              disabled={disabled}
              loading={form.busy}
              rightSection={keys && <Kbd>{SAVE_KEYS}</Kbd>}
              label={submit}
            />
            {more}
            <TextButton variant="subtle" color="gray" onClick={() => form.leave(onClose)} label="Cancel" />
          </>
        )}
      </PanelFoot>
    </form>
  );
};
