/** The personas of the stage: profiles with `metadata.persona`. */
import type { Profile } from "#client/index.ts";
import { isPersona } from "#contract/words/personas.ts";
import { emulator } from "../../api/emulator.ts";

/** A profile for import. */
export type PersonaInput = Partial<Omit<Profile, "userId" | "appId" | "createdAt" | "updatedAt">>;

const person = (name: string, mail: string, number: string, persona: string): PersonaInput => ({
  name,
  phone: `+120255501${number}`,
  email: `${mail}@example.com`,
  metadata: { persona },
});

/** Used if no app has any. */
export const BUILT_IN: readonly PersonaInput[] = [
  person("Ada Lovelace", "ada", "00", "Signs in every day"),
  person("Grace Hopper", "grace", "01", "Returning after a year"),
  person("Katherine Johnson", "katherine", "02", "Types with care"),
  person("ليلى حداد", "layla", "03", "Writes from right to left"),
  person("Alan Turing", "alan", "04", "Has a new phone"),
  person("Zoë Ōtsuka-Fernández", "zoe", "05", "Has a name with accents"),
];

/** The server searches the metadata; as many as a stage can show. */
const SEARCH = { q: '"persona":', limit: 100 };

/** @returns the personas of an app, in order. @throws StagedoorError if the app does not exist. */
export const personasOf = async (appId: string): Promise<PersonaInput[]> => {
  const { items } = await emulator.profiles.list({ appId, ...SEARCH });
  return items.filter(isPersona).map(({ userId: _, appId: _2, createdAt: _3, updatedAt: _4, ...person }) => person);
};

/** @returns the story of a persona, if it is text. */
export const storyOf = ({ metadata }: Pick<PersonaInput, "metadata">): string => {
  const story = metadata?.["persona"];
  return typeof story === "string" ? story : "";
};

/** @returns the initials of a name, for an avatar. */
export const initialsOf = (name: string): string => {
  const [first = "", ...others] = name.split(/\s+/).filter(Boolean);
  const letters = [first, others.at(-1) ?? ""].map((word) => [...word].slice(0, 1));
  return letters.flat().join("").toUpperCase();
};
