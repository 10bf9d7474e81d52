/** What is to be imported: files and pasted texts, whose plans are shown one after the other. */
import { useEffect, useState } from "react";
import { create } from "zustand";
import type { FieldErrors } from "#client/index.ts";
import { routes } from "#contract/control/routes.ts";
import { placesInJson, readJson } from "#contract/words/json-text.ts";
import { FaultList, type RowFaults } from "#people/faults.ts";
import { type DecodeAs, textOfFile } from "#people/text-of-file.ts";
import { complain } from "../../ui/action.tsx";
import { UsersReader } from "./users-reader.ts";
import { sizeWords } from "./world-words.ts";

/** Maximum size of an import in bytes. */
const MOST_BYTES: number = routes.writeState.maxBodyBytes;

/** A text to import. */
export interface Source {
  /** The file name; null if pasted. */
  readonly name: string | null;
  readonly text: string;
  /** A sentence about its encoding. */
  readonly notice?: string;
  /** Why it is no text, to follow its name. */
  readonly why?: string;
  /** The file, to read it again in another encoding. Absent: pasted. */
  readonly file?: File;
  /** Absent: recognised. */
  readonly encoding?: string;
}

/** A source that waits for its plan, or has it. */
export interface TakenSource extends Source {
  readonly id: number;
}

let taken = 0;
const numbered = (source: Source): TakenSource => ({ ...source, id: ++taken });

/** The sources that wait; the first one has the plan. A file can be dropped on any screen. */
export const useSources = create<{ readonly waiting: readonly TakenSource[] }>(() => ({ waiting: [] }));

/** Shows the plan of these first. */
export const takeSources = (sources: readonly Source[]): void =>
  useSources.setState(({ waiting }) => ({ waiting: [...sources.map(numbered), ...waiting] }));

/** Leaves the source that has the plan. @param instead the same one, read in another way */
export const leaveSource = (instead: readonly Source[] = []): void =>
  useSources.setState(({ waiting }) => ({ waiting: [...instead.map(numbered), ...waiting.slice(1)] }));

const decodeAs: DecodeAs = (bytes, encoding, isStrict) => {
  try {
    return new TextDecoder(encoding, { fatal: isStrict, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Reads a file, skipping a BOM. @throws Error with a message if it is too long or cannot be read */
export const readSource = async (file: File, encoding?: string): Promise<Source> => {
  const { name, size } = file;
  if (size > MOST_BYTES)
    throw new Error(`${name} is too large: ${sizeWords(size)}. The limit is ${sizeWords(MOST_BYTES)}.`);
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${name} cannot be read.`);
  });
  return {
    name,
    file,
    ...(encoding !== undefined && { encoding }),
    ...textOfFile(new Uint8Array(bytes), decodeAs, encoding),
  };
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** @returns the errors of fixtures, by line. @param errors by path, from the server. */
export const faultsIn = (text: string, errors: FieldErrors): RowFaults => {
  const list = new FaultList();
  const places = placesInJson(text, Object.keys(errors));
  const found = Object.entries(errors).flatMap(([path, sentences]) =>
    sentences.map((words) => ({
      path: path === "base" || path === "state" ? "" : path,
      line: lineAt(text, places.get(path)?.offset ?? 0),
      words,
    })),
  );
  for (const { line, path, words } of found.sort((a, b) => a.line - b.line)) list.add(line, path, null, words);
  return list.faults;
};

const read = async ({ text }: Source) => {
  const users = new UsersReader();
  const found = await users.ask({ text });
  if (found.kind === "users") return { users };
  users.close();
  return found.kind === "none" ? { none: found.why } : readJson(text, { jsonc: true });
};

/** @returns what a text is: users, a value of JSON, or why neither; null while it is read. */
export const useReading = (source: Source) => {
  const [reading, setReading] = useState<Awaited<ReturnType<typeof read>> | null>(null);
  useEffect(() => {
    let end = (): void => undefined;
    let isCurrent = true;
    if (source.why !== undefined) setReading({ none: source.why });
    else
      read(source)
        .then((found) => {
          const users = "users" in found ? found.users : undefined;
          end = () => users?.close();
          if (isCurrent) setReading(found);
          else end();
        })
        .catch(complain);
    return () => {
      isCurrent = false;
      end();
    };
  }, [source]);
  return reading;
};
