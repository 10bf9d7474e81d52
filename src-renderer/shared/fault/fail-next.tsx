/** "Fail next time": a fault filled in from a logged request, set and turned off in one click. */
import { useQuery } from "@tanstack/react-query";
import type { Fault, FaultInput, RequestRow } from "#client/index.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { requestsQuery } from "../../api/queries.ts";
import { ActionButton, announce } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { ActionsMenu, type RowAction } from "../../ui/row-actions.tsx";
import { MessagePart } from "../request/message-part.tsx";
import { pathOnly } from "../request/query.ts";
import { PRESETS } from "./fault-presets.ts";
import { effectWords, matchWords } from "./fault-words.ts";
import { addFault, removeFault, useWish } from "./set-fault.ts";

interface OfRequest {
  readonly row: RequestRow;
}

const METHODS = ["GET", "POST", "PUT", "DELETE"] as const;
/** What a click sets. */
const USUAL = { status: 503 } as const;

/** @returns a fault for the next request like this one; undefined if faults do not apply to such requests. */
const faultLike = (row: RequestRow): FaultInput | undefined => {
  const { listener, path, appId } = row;
  const method = METHODS.find((one) => one === row.method);
  if (listener === "console" || method === undefined) return undefined;
  const to = row.login?.to;
  const match = { listener, method, path: pathOnly(path), ...(appId !== null && { appId }), ...(to && { to }) };
  return { match, effect: USUAL, times: 1 };
};

/** @returns the other effects that such a request can meet, by the names under which they are known. */
const othersFor = (row: RequestRow): readonly (readonly [label: string, effect: FaultInput["effect"]])[] => {
  const isLogin = row.login !== null;
  return PRESETS.flatMap(({ title, fault: { effect }, only }) =>
    effect.status === USUAL.status || (only !== undefined && !(isLogin && row.method === only))
      ? []
      : [[(effect.after && effect.drop) || effect.twice ? title : effectWords(effect), effect]],
  );
};

const matchKey = (match: Fault["match"] = {}): string => JSON.stringify(Object.entries(match).toSorted());

const useFaultsLike = (row: RequestRow) => {
  const faults = useFaults();
  const input = faultLike(row);
  const own = input === undefined ? [] : faults.filter(({ match }) => matchKey(match) === matchKey(input.match));
  return { input, own };
};

/** @returns how the next request like a row can be made to fail, or what turns that off; none where faults do not apply. */
export const useFailActions = (row: RequestRow): readonly RowAction[] => {
  const { input, own } = useFaultsLike(row);
  const { go } = useAddress();
  const on = own.find(isOn);
  const like = `${row.method} ${row.path}`;
  if (input === undefined) return [];
  if (on !== undefined) {
    const act = () => removeFault(on.id).then(() => announce("Fault turned off"));
    return [{ label: `Turn off: ${effectWords(on.effect)}`, act }];
  }
  const set = async (effect: FaultInput["effect"]): Promise<void> => {
    await addFault({ ...input, effect });
    announce(`${effectWords(effect)} next time: ${matchWords(input.match ?? {})}`);
  };
  const custom = (): void => {
    useWish.setState({ fault: input });
    go({ screen: "simulate", id: "new", show: null, q: "" });
  };
  return [
    ...[[effectWords(USUAL), USUAL] as const, ...othersFor(row)].map(([label, effect]) => ({
      label,
      name: `${label}, the next ${like}`,
      act: () => set(effect),
    })),
    { label: "Custom fault…", name: `Custom fault for ${like}`, act: custom },
  ];
};

/** In the detail of a request, and of a step of a login. */
export const FailNextButton = ({ row }: OfRequest) => {
  const actions = useFailActions(row);
  const [only] = actions;
  if (only === undefined) return null;
  if (actions.length === 1) return <ActionButton label={only.label} act={async () => await only.act()} />;
  return <ActionsMenu word="Fail… ▾" label={`Fail the next ${row.method} ${row.path}`} items={() => actions} />;
};

/** How many of the newest requests can be the one that a fault met. */
const MOST = 50;

/** The response to the newest request that such a fault met since. */
export const FailedSince = ({ row }: OfRequest) => {
  const { own } = useFaultsLike(row);
  const met = own.findLast(({ used }) => used > 0);
  const { listener } = row;
  const filter = { ...(listener !== "console" && { listener }), method: row.method };
  const { data } = useQuery({ ...requestsQuery(filter, MOST), enabled: met !== undefined });
  const failed = met && data?.items.find(({ fault, id }) => fault === met.id && id !== row.id);
  return failed && <MessagePart title={`Failed since: ${failed.status}`} message={failed.response} />;
};
