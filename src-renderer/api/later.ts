import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { cache } from "./cache.ts";

/** One more attempt; without the server it waits for it. */
const PATIENT = { networkMode: "offlineFirst", retry: 1, retryDelay: 300 } as const;

/** The script for which this tab was reloaded last. It must not be reloaded again and again. */
const RELOADED = "stagedoor.reloaded-for";

const never = new Promise<never>(() => {});

/**
 * @returns a component whose script is loaded when it is first shown. A browser keeps the failure of a script for good,
 * so the page is reloaded, once, as soon as the server is there again. @param name unique.
 */
export const later = <P>(name: string, load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> =>
  lazy(async () => {
    let tries = 0;
    const queryFn = async () => {
      if (tries++ > 0 && sessionStorage.getItem(RELOADED) !== name) {
        sessionStorage.setItem(RELOADED, name);
        window.location.reload();
        await never;
      }
      const component = { default: await load() };
      if (sessionStorage.getItem(RELOADED) === name) sessionStorage.removeItem(RELOADED);
      return component;
    };
    return await cache.fetchQuery({ ...PATIENT, queryKey: ["script", name], queryFn });
  });
