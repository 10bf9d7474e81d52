import { type ComponentType, createElement, Fragment } from "react";
import { CompareButton } from "./bundle/compare-button.tsx";
import { DownloadButton } from "./bundle/download-button.tsx";
import type { OfRequest, OfSession, OfStory } from "./manifest.ts";
import { BackendButton } from "./token-check/backend-button.tsx";
import { WeatherButtons } from "./weather/weather-dialog.tsx";

const all =
  <P extends object>(buttons: readonly ComponentType<P>[]) =>
  (of: P) =>
    createElement(Fragment, null, ...buttons.map((button) => createElement(button, of)));

/** What kits do with a session: one line for each. */
// biome-ignore format: one line a kit
export const SessionButtons = all<OfSession>([
  BackendButton,
]);

/** What kits do with a request: one line for each. */
// biome-ignore format: one line a kit
export const RequestButtons = all<OfRequest>([
  DownloadButton,
]);

/** What kits do with a login: one line for each. */
// biome-ignore format: one line a kit
export const StoryButtons = all<OfStory>([
  CompareButton,
]);

/** What else sets faults: one line for each kit. */
// biome-ignore format: one line a kit
export const FaultButtons = all<object>([
  WeatherButtons,
]);
