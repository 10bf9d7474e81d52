/** Reads the users of a text, whatever it is. */
import { findTable, type NoPeople, type People, type PeopleOptions, peopleOf } from "#people/read-people.ts";

/** @param text without BOM. */
export const readPeople = async (text: string, options: PeopleOptions): Promise<People | NoPeople> => {
  const found = await findTable(text);
  if (found.kind !== "table") return found.kind === "none" ? { kind: "none", why: ` ${found.why}` } : found;
  return await peopleOf(found, options);
};
