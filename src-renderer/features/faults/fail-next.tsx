/** "Fail next time": a fault filled in from a logged request, set and turned off in one click (CONTRACT 20). */
import { useQuery } from "@tanstack/react-query";
import type { App, Fault, FaultInput, RequestRow } from "#client/index.ts";
import { addFault, removeFault } from "../../api/actions.ts";
import { faultList, isOn, requestsQuery, useApps } from "../../api/queries.ts";
import { announce, LinkButton, TextButton, useAction } from "../../ui/action.tsx";
import { pathOnly } from "../requests/query.ts";
import { loginCall } from "../requests/stories.ts";
import { matchWords } from "./fault-words.ts";

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
const STATUS = 503;

/** @returns a fault for the next request like this one; undefined if faults do not apply to such requests. */
const faultLike = (row: RequestRow, apps: readonly App[]): FaultInput | undefined => {
  const { listener, path, appId } = row;
  const method = METHODS.find((one) => one === row.method);
  if (listener === "console" || method === undefined) return undefined;
  const to = loginCall(row, apps)?.to;
  const match = { listener, method, path: pathOnly(path), ...(appId !== null && { appId }), ...(to && { to }) };
  return { match, effect: { status: STATUS }, times: 1 };
};

const textOf = (match: Fault["match"] = {}): string => JSON.stringify(Object.entries(match).toSorted());

/** @returns the faults for requests like a row, oldest first, and what sets the next one or turns it off. */
const useFailNext = (row: RequestRow) => {
  const { apps } = useApps();
  const faults = useQuery(faultList.query(null)).data?.items ?? [];
  const input = faultLike(row, apps);
  const own = input === undefined ? [] : faults.filter(({ match }) => textOf(match) === textOf(input.match));
  const on = own.find(isOn);
  const { run } = useAction(async () => {
    if (on !== undefined) await removeFault(on.id);
    else if (input !== undefined) await addFault(input);
    announce(on === undefined ? `Fails next time: ${matchWords(input?.match ?? {})}` : "Fault turned off");
  });
  return { own, isOn: on !== undefined, toggle: input && (() => run()) };
};

interface FailNextProps {
  readonly row: RequestRow;
}

/** In a row of the log. */
export const FailNextLink = ({ row, tabIndex }: FailNextProps & { readonly tabIndex: 0 | -1 }) => {
  const { isOn: isSet, toggle } = useFailNext(row);
  return (
    toggle && (
      <LinkButton
        warn={isSet}
        tabIndex={tabIndex}
        title={isSet ? `Turns off the ${STATUS}` : `Returns ${STATUS} to the next request like this one`}
        onClick={toggle}
      >
        {isSet ? "Turn off" : "Fail next"}
      </LinkButton>
    )
  );
};

/** In the detail of a request, and of a step of a login. */
export const FailNextButton = ({ row }: FailNextProps) => {
  const { isOn: isSet, toggle } = useFailNext(row);
  return toggle && <TextButton onClick={toggle} label={isSet ? `Turn off the ${STATUS}` : "Fail this next time"} />;
};

/** How many of the newest requests can be the one that a fault met. */
const MOST = 50;

/** @returns the newest request that such a fault met since. */
export const useFailedSince = (row: RequestRow): RequestRow | undefined => {
  const { own } = useFailNext(row);
  const met = own.findLast(({ used }) => used > 0);
  const { listener } = row;
  const filter = { ...(listener !== "console" && { listener }), method: row.method };
  const { data } = useQuery({ ...requestsQuery(filter, MOST), enabled: met !== undefined });
  return met && data?.items.find(({ fault, id }) => fault === met.id && id !== row.id);
};
