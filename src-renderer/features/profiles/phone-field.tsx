import { TextInput } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { phoneTyped } from "./phone-typed.ts";

interface PhoneFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly description: string | undefined;
  readonly error: ReactNode;
}

/** A phone number, grouped as it is typed; the caret stays at its digit. */
export const PhoneField = ({ value, onChange, description, error }: PhoneFieldProps) => {
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current === null || document.activeElement !== input.current) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (
    <TextInput
      ref={input}
      type="tel"
      name="phone"
      label="Phone"
      placeholder="+1 202 555 0100"
      description={description}
      error={error}
      autoComplete="off"
      classNames={{ input: "mono" }}
      value={value}
      onChange={(event) => {
        const { value: typed, selectionStart } = event.currentTarget;
        const next = phoneTyped(value, typed, selectionStart ?? typed.length);
        caret.current = next.caret;
        onChange(next.text);
      }}
    />
  );
};
