import { Kbd, TextInput } from "@mantine/core";
import { useRef } from "react";
import { useAddress } from "../ui/address.ts";
import { useKeys } from "../ui/keys.ts";
import classes from "./search-box.module.css";

/** The search of the list at hand. `/` goes there; Esc clears it, and then leaves it. */
export const SearchBox = ({ words }: { readonly words: string }) => {
  const { address, go } = useAddress();
  const input = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => input.current?.focus() });
  const search = (q: string): void => go({ q, id: null }, { replace: true });
  return (
    <TextInput
      ref={input}
      type="search"
      className={classes.search ?? ""}
      aria-label={words}
      placeholder={words}
      rightSection={<Kbd aria-hidden="true">/</Kbd>}
      rightSectionPointerEvents="none"
      value={address.q}
      onChange={(event) => search(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        if (address.q === "") input.current?.blur();
        else search("");
      }}
    />
  );
};
