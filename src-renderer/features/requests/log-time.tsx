import type { RequestRow } from "../../api/request-log.ts";
import { useNow } from "../../ui/now.ts";
import { agoWords, exactWords } from "../../ui/time-words.ts";

/** How long ago a request came; the log goes by the clock of all apps. */
export const LogTime = ({ row }: { readonly row: RequestRow }) => (
  <time dateTime={row.at} title={`${exactWords(row.at)} (${row.at})`}>
    {agoWords(useNow(null) - Date.parse(row.at))}
  </time>
);
