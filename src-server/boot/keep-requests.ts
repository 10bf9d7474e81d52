/** Brings back the request log of earlier starts, and keeps it from then on (`--persist-requests`). */
import type { Store } from "#domain/store.ts";
import type { Deps } from "#http/deps.ts";
import { exchangeFrom } from "#http/traffic/exchange.ts";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import { KeptRequests, removeKeptRequests } from "#store/kept-requests.ts";
import type { Config } from "../config.ts";

/** @param log gets the rows of earlier starts, and is kept from now on. @returns undefined if it is not. */
export const keepRequests = (
  { log }: Pick<Deps, "log">,
  { dataDir, world, isNew }: Pick<Store, "dataDir" | "world" | "isNew">,
  { reset, retention, persistRequests }: Pick<Config, "reset" | "retention" | "persistRequests">,
  { files = nodeFiles, log: onNotice }: { readonly files?: FileSystem; readonly log: (line: string) => void },
): KeptRequests | undefined => {
  if (dataDir === null) return undefined;
  // The rows belong to the data.
  if (isNew || reset) removeKeptRequests(files, dataDir);
  if (!persistRequests) return undefined;
  const kept = new KeptRequests({ files, folder: dataDir, capacity: retention.requests, onNotice, source: log });
  kept.bringBack((row) => {
    const app = row.appId === null ? undefined : world.app(row.appId)?.app;
    // The id may have been another app's, whose requests a bound token must not see.
    if (app?.joined !== undefined && row.seq < app.seq) return false;
    // A power cut can lose changes of the last second that a row has seen.
    const exchange = exchangeFrom({ ...row, seq: Math.min(row.seq, world.seq) });
    log.add(exchange);
    log.logins.resume(exchange);
    return true;
  });
  log.keeper = kept;
  return kept;
};
