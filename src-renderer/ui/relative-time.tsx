import { useNow, useRealNow } from "./now.ts";
import { agoWords, exactWords } from "./time-words.ts";

/** How long ago something was, by the clock of the app (all apps: null); the exact time on hover. */
export const RelativeTime = ({ instant, appId }: { readonly instant: string; readonly appId: string | null }) => (
  <time dateTime={instant} title={`${exactWords(instant)} (${instant})`}>
    {agoWords(useNow(appId) - Date.parse(instant))}
  </time>
);

/** The same for what is dated by real time, whatever the clocks of the apps show. */
export const RealTime = ({ instant }: { readonly instant: string }) => (
  <time dateTime={instant} title={`${exactWords(instant)} (${instant})`}>
    {agoWords(useRealNow() - Date.parse(instant))}
  </time>
);
