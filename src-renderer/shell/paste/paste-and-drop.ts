/** What is pasted outside of a field, or dropped anywhere: fixtures go to Import, what another Stagedoor has saved is shown, all else goes to the palette. */
import { useWindowEvent } from "@mantine/hooks";
import type { Source } from "../../places/setup/source.ts";
import { complain } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { isForPage } from "../../ui/keys.ts";
import { MOST_TYPED, palette, paletteStore } from "../../ui/palette-store.ts";
import { inOneLine } from "../../ui/words.ts";

/** @returns a function that shows the plans of imports. */
const useImport = (): ((given: readonly Source[] | Promise<readonly Source[]>) => void) => {
  const { go } = useAddress();
  return (given) => {
    Promise.all([given, import("../../places/setup/source.ts")])
      .then(([sources, { takeSources }]) => {
        if (sources.length === 0) return;
        takeSources(sources);
        go({ screen: "setup/data", show: null, id: null, q: "" });
      })
      .catch(complain);
  };
};

/** @returns whether a text is for Import. The first view does not hold the names by which that is told. */
const isImport = async (text: string): Promise<boolean> => (await import("./fixture-format.ts")).isForImport(text);

const search = (text: string): void => {
  palette.open();
  paletteStore.setState({ ...paletteStore.getState(), query: inOneLine(text) });
};

/** Searches for a dropped text if it is of a kind that the palette knows. */
const find = async (text: string): Promise<boolean> => {
  const { pastedIn } = await import("../../ui/paste-kinds.ts");
  const isKnown = text.length <= MOST_TYPED && pastedIn(inOneLine(text)) !== null;
  if (isKnown) search(text);
  return isKnown;
};

/** Shows what another Stagedoor has saved. @returns whether the text is that. */
type OpenSaved = (text: string, name: string | null) => Promise<boolean>;

/** @see OpenSaved */
const useOpenSaved = (): OpenSaved => {
  const { go } = useAddress();
  return async (text, name) => await (await import("../../places/requests/open-text.ts")).openText(text, name, go);
};

/** Reads dropped files. @returns what is to be imported; the rest is shown. */
const readDropped = async (files: readonly File[], openSaved: OpenSaved): Promise<readonly Source[]> => {
  const [{ isForImport }, { readSource }] = await Promise.all([
    import("./fixture-format.ts"),
    import("../../places/setup/source.ts"),
  ]);
  const sources: Source[] = [];
  for (const file of files) {
    const source = await readSource(file);
    if (await openSaved(source.text, file.name)) continue;
    if (isForImport(source.text) || !(await find(source.text))) sources.push(source);
  }
  return sources;
};

const holds = ({ dataTransfer }: DragEvent, type: "Files" | "text/plain"): boolean => {
  const types = dataTransfer?.types ?? [];
  // A link is dragged with its address as text.
  return types.includes(type) && (type === "Files" || !types.includes("text/uri-list"));
};

/** Takes what is pasted or dropped anywhere; the browser would leave the page and open a dropped file. */
export const usePasteAndDrop = (): void => {
  const openImport = useImport();
  const openSaved = useOpenSaved();
  useWindowEvent("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!isForPage(event) || text.trim() === "") return;
    event.preventDefault();
    openSaved(text, null)
      .then(async (isSaved) => {
        if (isSaved) return;
        const isIt = await isImport(text);
        // A long text is none that the palette knows: Import says what it is.
        if (isIt || text.length > MOST_TYPED) openImport([{ name: null, text }]);
        else search(text);
      })
      .catch(complain);
  });
  useWindowEvent("dragover", (event) => {
    if (holds(event, "Files") || (holds(event, "text/plain") && isForPage(event))) event.preventDefault();
  });
  useWindowEvent("drop", (event) => {
    if (event.defaultPrevented || event.dataTransfer === null) return;
    if (holds(event, "Files")) openImport(readDropped([...event.dataTransfer.files], openSaved));
    else if (holds(event, "text/plain") && isForPage(event)) {
      const text = event.dataTransfer.getData("text/plain");
      openSaved(text, null)
        .then(async (isSaved) => {
          if (isSaved) return;
          if (await isImport(text)) openImport([{ name: null, text }]);
          else await find(text);
        })
        .catch(complain);
    } else return;
    event.preventDefault();
  });
};

/** @returns what takes fixtures and users that were pasted into the palette to Import, and whether it did. */
export const useTakePasted = (): ((text: string) => Promise<boolean>) => {
  const openImport = useImport();
  const openSaved = useOpenSaved();
  return async (text) => {
    if (await openSaved(text, null)) {
      palette.close();
      return true;
    }
    if (!(await isImport(text))) return false;
    palette.close();
    openImport([{ name: null, text }]);
    return true;
  };
};
