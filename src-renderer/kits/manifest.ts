/** What a kit says of itself to the UI (docs/internals/kits.md). It is in the first view, so it holds data alone. */
import type { App, Passcode, Profile, RequestRow, Session, StagedoorEvent } from "#client/index.ts";
import type { KitPage, KitScreen, Screen } from "#contract/screens.ts";
import type { Target } from "../features/connect/targets.ts";
import type { Story, StoryStep } from "../features/requests/stories.ts";

/** The frame's texts and icon of a screen. */
export interface About {
  readonly word: string;
  /** Placeholder of the search; absent: no search. */
  readonly search?: string;
  /** An SVG path in a 16 by 16 box, stroked. */
  readonly icon: string;
}

/** What a kit's band above a screen gets. */
export interface OfFrame {
  /** Undefined: there is no such screen. */
  readonly screen: Screen | undefined;
}

/** Something that the server's timeline does not hold, with its own way back. */
export interface Offer {
  readonly words: string;
  readonly note: string;
  readonly back: () => Promise<unknown>;
}

/** What a kit's link in the empty inbox gets. */
export interface OfInbox {
  /** The app that is shown; null: all. */
  readonly appId: string | null;
}

/** Takes a text that was pasted into the palette. @returns whether it did; otherwise the palette looks for it. */
export type Taker = (text: string) => Promise<boolean>;

/** What a kit's part of an app's detail gets. */
export interface OfApp {
  readonly app: App;
}

/** What a kit gets of the apps on the screen. */
export interface OfApps {
  readonly apps: readonly App[];
}

/** What a kit's button gets of a session. */
export interface OfSession {
  readonly session: Session;
  /** The session has ended. */
  readonly disabled: boolean;
}

/** What a kit's button gets of a request. */
export interface OfRequest {
  readonly row: RequestRow;
}

/** What a kit gets of a step of a login. */
export interface OfStep {
  readonly story: Story;
  readonly step: StoryStep;
}

/** What a kit's link in a row of the log gets. */
export interface OfLine extends OfRequest {
  readonly tabIndex: 0 | -1;
}

/** What a kit gets of where a client runs. */
export interface OfTarget {
  readonly target: Target;
  readonly isSecure: boolean;
  readonly appId: string;
}

/** What a kit gets of the fault that a request met. */
export interface OfFault {
  readonly id: string;
  /** Not in the tab order. */
  readonly quiet?: boolean;
}

/** What a kit's part of a passcode gets. */
export interface OfPasscode {
  readonly passcode: Passcode;
}

/** What a kit shows instead of a code that has not arrived. */
export interface OfLostCode extends OfPasscode {
  /** The look of a code in its place. */
  readonly className: string;
}

/** What a kit's part of a profile gets. */
export interface OfProfile {
  readonly profile: Profile;
}

/** What a kit's button gets of a login. */
export interface OfStory {
  readonly story: Story;
  /** The apps with the settings that it met. */
  readonly apps: readonly Pick<App, "appId" | "settings">[];
  /** The other logins of the list. */
  readonly others: readonly Story[];
}

/** @see the file */
export interface UiManifest {
  /** Its screens and pages. */
  readonly screens?: { readonly [S in KitScreen | KitPage]?: About };
  /** Takes an event, of the kit or of the kernel. @returns the keys of the queries to reload. */
  readonly hear?: (event: StagedoorEvent) => readonly string[];
  /** Its queries over the data: they are reloaded after each change. */
  readonly quick?: readonly string[];
  /** Its expensive queries over all data: they are reloaded after each change, but less often. */
  readonly slow?: readonly string[];
  /** Its queries that an action of the UI waits for: they are reloaded before it is over. */
  readonly awaited?: readonly string[];
  /** Its events that change no data, so that nothing else is reloaded. */
  readonly besideData?: readonly StagedoorEvent["type"][];
}
