import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { cache } from "./cache.ts";

/** Without the server a script waits for it; otherwise two more attempts, a moment apart. */
const PATIENT = { networkMode: "offlineFirst", retry: 2, retryDelay: 300 } as const;

const failedStyles = new Set<HTMLLinkElement>();
window.addEventListener(
  "error",
  ({ target }) => target instanceof HTMLLinkElement && target.rel === "stylesheet" && failedStyles.add(target),
  true,
);

/** Requests the styles again that failed to load: Vite adds each only once. */
const mendStyles = (): Promise<unknown> =>
  Promise.all(
    [...failedStyles].map((failed) => {
      const { href } = failed;
      failedStyles.delete(failed);
      const again = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      return new Promise((settle) => {
        again.onload = settle;
        again.onerror = settle;
        failed.replaceWith(again);
      });
    }),
  );

/**
 * @returns a component whose script is loaded when it is first shown. React keeps a failure for good, so a script that
 * the server did not send is requested again here. @param name unique.
 */
export const later = <P>(name: string, load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    let tries = 0;
    const queryFn = async () => {
      if (tries++ > 0) await mendStyles();
      return { default: await load() };
    };
    return await cache.fetchQuery({ ...PATIENT, queryKey: ["script", name], queryFn });
  });
