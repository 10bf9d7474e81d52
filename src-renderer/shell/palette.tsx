/** The command palette: opens with ⌘K and Ctrl K from anywhere. */

import { useHotkeys } from "@mantine/hooks";
import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { Suspense, useEffect, useRef } from "react";
import { later } from "../api/later.ts";
import { complain } from "../ui/action.tsx";
import { early, MOST_TYPED, optionId, palette, paletteStore } from "../ui/palette-store.ts";
import { inOneLine } from "../ui/words.ts";
import classes from "./palette.module.css";
import { useTakePasted } from "./paste/paste-and-drop.ts";

const load = async () => (await import("./palette-options.tsx")).PaletteOptions;
const PaletteOptions = later("palette", load);

const Field = () => {
  const { selected } = useSpotlight(paletteStore);
  const take = useTakePasted();
  const field = useRef<HTMLInputElement>(null);
  // Spotlight moves the focus only after the keys that follow the shortcut. Before this it notes what had the focus.
  useEffect(() => queueMicrotask(() => field.current?.focus()), []);
  const words = "A name, phone, code, id, place or command";
  return (
    <Spotlight.Search
      ref={field}
      role="combobox"
      aria-label={words}
      aria-expanded="true"
      aria-controls="commands"
      aria-autocomplete="list"
      aria-activedescendant={selected < 0 ? undefined : optionId(selected)}
      placeholder={words}
      autoComplete="off"
      spellCheck={false}
      maxLength={MOST_TYPED}
      // The field would drop line breaks, and with them the spaces between words.
      onPaste={(event) => {
        const text = event.clipboardData.getData("text/plain");
        if (!/\n|^[[{]/.test(text.trim())) return;
        event.preventDefault();
        take(text)
          .then((done) => {
            if (!done)
              paletteStore.setState({ ...paletteStore.getState(), query: inOneLine(text.slice(0, MOST_TYPED)) });
          })
          .catch(complain);
      }}
      onKeyDown={({ key }) => {
        early.enter = key === "Enter" && paletteStore.getState().listId === "";
        // Spotlight moves the selection without notifying subscribers.
        queueMicrotask(() => paletteStore.setState(paletteStore.getState()));
      }}
    />
  );
};

/** The input is available immediately and keeps what is typed; its options load when the page is idle. */
export const Palette = () => {
  useHotkeys([["mod+K", palette.toggle]], [], true);
  useEffect(() => {
    // Fails while the server is unreachable; opening the palette retries.
    const timer = setTimeout(() => load().catch(() => undefined), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      size={560}
      yOffset="12vh"
      shadow="none"
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 0.5, blur: 0 }}
      transitionProps={{ duration: 0 }}
      classNames={{
        search: classes["search"] ?? "",
        actionsList: classes["list"] ?? "",
        action: classes["option"] ?? "",
        actionsGroup: classes["group"] ?? "",
      }}
      attributes={{ content: { "aria-label": "Commands" } }}
    >
      <Field />
      <Suspense fallback={null}>
        <PaletteOptions />
      </Suspense>
    </Spotlight.Root>
  );
};
