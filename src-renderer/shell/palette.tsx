/** The command palette: opens with ⌘K and Ctrl K from anywhere. */
import { useHotkeys, useWindowEvent } from "@mantine/hooks";
import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { Suspense, useEffect } from "react";
import { later } from "../api/later.ts";
import { isForPage } from "../ui/keys.ts";
import classes from "./palette.module.css";
import { early, optionId, palette, paletteStore } from "./palette-store.ts";
import { inOneLine } from "./paste-kinds.ts";

const load = async () => (await import("./palette-options.tsx")).PaletteOptions;
const PaletteOptions = later("palette", load);

const Field = () => {
  const { selected } = useSpotlight(paletteStore);
  const words = "Find a command or a user";
  return (
    <Spotlight.Search
      role="combobox"
      aria-label={words}
      aria-expanded="true"
      aria-controls="commands"
      aria-autocomplete="list"
      aria-activedescendant={selected < 0 ? undefined : optionId(selected)}
      placeholder={words}
      autoComplete="off"
      spellCheck={false}
      // The field would drop line breaks, and with them the spaces between words.
      onPaste={(event) => {
        const text = event.clipboardData.getData("text/plain");
        if (!/\n/.test(text.trim())) return;
        event.preventDefault();
        paletteStore.setState({ ...paletteStore.getState(), query: inOneLine(text.slice(0, MOST_PASTED)) });
      }}
      onKeyDown={({ key }) => {
        early.enter = key === "Enter" && paletteStore.getState().listId === "";
        // Spotlight moves the selection without notifying subscribers.
        queueMicrotask(() => paletteStore.setState(paletteStore.getState()));
      }}
    />
  );
};

/** Longer texts are none that the palette knows. */
const MOST_PASTED = 20_000;

/** Opens the palette with what is pasted outside of a field (CONTRACT 20). */
const usePaste = (): void =>
  useWindowEvent("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isForPage(event) || text.trim() === "" || text.length > MOST_PASTED) return;
    event.preventDefault();
    palette.open();
    paletteStore.setState({ ...paletteStore.getState(), query: inOneLine(text) });
  });

/** The input is available immediately and keeps what is typed; its options load when the page is idle. */
export const Palette = () => {
  useHotkeys([["mod+K", palette.toggle]], [], true);
  usePaste();
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
