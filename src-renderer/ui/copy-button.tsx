import { Button, type ButtonProps } from "@mantine/core";
import { useCopy } from "./clipboard.ts";

interface CopyButtonProps extends Pick<ButtonProps, "variant" | "size" | "rightSection" | "disabled"> {
  readonly text: string;
  /** Names what is copied, for who hears the page: `Auth URL`. */
  readonly what: string;
  /** The words on the button; `Copy` if absent. */
  readonly label?: string;
}

/** A button that copies a text, and says for a moment that it did. */
export const CopyButton = ({ text, what, label = "Copy", ...button }: CopyButtonProps) => {
  const { copied, copy } = useCopy();
  return (
    <Button {...button} aria-label={label === "Copy" ? `Copy ${what}` : undefined} onClick={() => copy(text, what)}>
      {copied ? "Copied" : label}
    </Button>
  );
};
