/** The command that creates the app that a request was sent to. */
import type { AppLike } from "#contract/control/app-like.ts";
import { appId } from "#contract/service/apps.ts";
import { strategyOf } from "#contract/service/strategies.ts";

/** @param requestId of the request, which says what the command alone cannot: the names in its body. */
export const createCommand = ({ appId: id, strategy, settings }: AppLike, requestId: string): string => {
  if (settings !== undefined || !appId.safeParse(id).success) return `stagedoor apps create --like ${requestId}`;
  return `stagedoor apps create ${id}${strategy === strategyOf(undefined) ? "" : ` --strategy ${strategy}`}`;
};
