import { CompareButton } from "./bundle/compare-button.tsx";
import { DownloadButton } from "./bundle/download-button.tsx";
import { FailNextButton, FailStepButton } from "./faults/fail-next.tsx";
import { inARow } from "./in-a-row.ts";
import type { OfRequest, OfSession, OfStep, OfStory } from "./manifest.ts";
import { RewindButton } from "./rewind/rewind-button.tsx";
import { BackendButton } from "./token-check/backend-button.tsx";
import { WeatherButtons } from "./weather/weather-dialog.tsx";

/** What kits do with a session: one line for each. */
// biome-ignore format: one line a kit
export const SessionButtons = inARow<OfSession>([
  BackendButton,
]);

/** What kits do with a request: one line for each. */
// biome-ignore format: one line a kit
export const RequestButtons = inARow<OfRequest>([
  DownloadButton,
  FailNextButton,
]);

/** What kits do with a step of a login: one line for each. */
// biome-ignore format: one line a kit
export const StepButtons = inARow<OfStep>([
  RewindButton,
  FailStepButton,
]);

/** What kits do with a login: one line for each. */
// biome-ignore format: one line a kit
export const StoryButtons = inARow<OfStory>([
  CompareButton,
]);

/** What else sets faults: one line for each kit. */
// biome-ignore format: one line a kit
export const FaultButtons = inARow<object>([
  WeatherButtons,
]);
