/** Where Present is. */

/** @param base the console URL. @param appId the app whose users it shows; undefined: the first one. */
export const stageAddress = (base: string, appId?: string): string => {
  const url = new URL(base);
  url.pathname = "/stage";
  if (appId !== undefined) url.searchParams.set("appId", appId);
  return url.href;
};
