/** Where the stage is. */

/** @param base the console URL. @param appId the app whose users it shows. @param play whether it plays by itself. */
export const stageAddress = (base: string, appId?: string, play = false): string => {
  const url = new URL(base);
  url.pathname = "/stage";
  if (appId !== undefined) url.searchParams.set("appId", appId);
  if (play) url.searchParams.set("play", "1");
  return url.href;
};
