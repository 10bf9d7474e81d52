/** Reads a login from a file: the one reader of all that shows or compares one. */
import type { App, Fault, Passcode, TimelineItem } from "#client/index.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { type LoginBundle, loginBundle } from "#features/history/bundle/contract/bundles.ts";
import { isPasscode } from "./film.ts";
import { type Story, storiesOf } from "./stories.ts";

/** A login, and all that its file has. */
export interface ReadLogin {
  readonly story: Story;
  readonly apps: readonly Pick<App, "appId" | "settings">[];
  readonly faults: readonly Pick<Fault, "id" | "effect">[];
  readonly bundle: LoginBundle;
}

/** @param items newest first. @returns the codes as they were last, newest first. */
const passcodesIn = (items: readonly TimelineItem[]): readonly Passcode[] => {
  const found = new Map<string, Passcode>();
  for (const { changes } of items)
    for (const { id, after } of changes) if (isPasscode(after) && !found.has(id)) found.set(id, after);
  return [...found.values()].sort((a, b) => b.seq - a.seq);
};

/** @param value as it was downloaded, or the film of an exploration. @returns its login; undefined if it holds none. */
export const loginIn = (value: unknown): ReadLogin | undefined => {
  const { data } = loginBundle.safeParse(value);
  if (data === undefined) return undefined;
  const [story] = storiesOf(data.requests.toReversed(), passcodesIn(data.timeline ?? []));
  const apps = data.state.apps.map(({ appId, settings = {} }) => ({ appId, settings }));
  return story && { story, apps, faults: data.faults, bundle: data };
};

/** @param text JSON. @returns its login; undefined if it holds none. */
export const readLogin = (text: string): ReadLogin | undefined => loginIn(parsedJson(text));
