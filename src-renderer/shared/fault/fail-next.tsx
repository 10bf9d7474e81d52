/** "Fail next time": a fault filled in from a logged request, set and turned off in one click. */

import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Fault, FaultInput, RequestRow } from "#client/index.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { requestsQuery } from "../../api/queries.ts";
import { announce, LinkButton, TextButton, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { RowMenu } from "../../ui/row-menu.tsx";
import { MessagePart } from "../request/message-part.tsx";
import { pathOnly } from "../request/query.ts";
import { PRESETS } from "./fault-presets.ts";
import { effectWords, matchWords } from "./fault-words.ts";
import { addFault, removeFault, useWish } from "./set-fault.ts";

interface OfRequest {
  readonly row: RequestRow;
}

/** In a row of the log. */
interface OfLine extends OfRequest {
  readonly tabIndex: 0 | -1;
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

/** @returns the faults for requests like a row, oldest first; the one that is on; and what sets the next or turns it off. */
const useFailNext = (row: RequestRow) => {
  const faults = useFaults();
  const input = faultLike(row);
  const own = input === undefined ? [] : faults.filter(({ match }) => matchKey(match) === matchKey(input.match));
  const on = own.find(isOn);
  const set = async (effect: FaultInput["effect"] = USUAL): Promise<void> => {
    if (input === undefined) return;
    await addFault({ ...input, effect });
    announce(`${effectWords(effect)} next time: ${matchWords(input.match ?? {})}`);
  };
  const { run } = useAction(async () => {
    if (on === undefined) return await set();
    await removeFault(on.id);
    announce("Fault turned off");
  });
  return { own, on, input, set, toggle: () => run() };
};

/** The other ways to fail, and the form of a fault filled in from the request. */
const OtherFailures = ({ row, tabIndex = 0 }: OfRequest & Partial<OfLine>) => {
  const { input, set } = useFailNext(row);
  const { go } = useAddress();
  const custom = async (): Promise<void> => {
    useWish.setState({ fault: input });
    go({ screen: "simulate", id: "new", show: null, q: "" });
  };
  return (
    <RowMenu
      label={`Other failures for ${row.method} ${row.path}`}
      tabIndex={tabIndex}
      items={() => [
        ...othersFor(row).map(([label, effect]) => ({
          id: label,
          label,
          act: () => set(effect),
        })),
        { id: "custom", label: "Custom fault", act: custom },
      ]}
    />
  );
};

/** In a row of the log. */
export const FailNextLink = ({ row, tabIndex }: OfLine) => {
  const { on, input, toggle } = useFailNext(row);
  if (input === undefined) return null;
  const title = `${effectWords(on?.effect ?? USUAL)}, the next request like this one`;
  return (
    <>
      <LinkButton warn={on !== undefined} tabIndex={tabIndex} title={title} onClick={toggle}>
        {on === undefined ? "Fail next time" : "Turn off"}
      </LinkButton>
      {on === undefined && (
        <>
          {" "}
          <OtherFailures row={row} tabIndex={tabIndex} />
        </>
      )}
    </>
  );
};

/** In the detail of a request, and of a step of a login. */
export const FailNextButton = ({ row }: OfRequest) => {
  const { on, input, toggle } = useFailNext(row);
  if (input === undefined) return null;
  if (on !== undefined) return <TextButton onClick={toggle} label={`Turn off: ${effectWords(on.effect)}`} />;
  return (
    <Group gap={4} wrap="nowrap">
      <TextButton onClick={toggle} label="Fail this next time" />
      <OtherFailures row={row} />
    </Group>
  );
};

/** How many of the newest requests can be the one that a fault met. */
const MOST = 50;

/** The response to the newest request that such a fault met since. */
export const FailedSince = ({ row }: OfRequest) => {
  const { own } = useFailNext(row);
  const met = own.findLast(({ used }) => used > 0);
  const { listener } = row;
  const filter = { ...(listener !== "console" && { listener }), method: row.method };
  const { data } = useQuery({ ...requestsQuery(filter, MOST), enabled: met !== undefined });
  const failed = met && data?.items.find(({ fault, id }) => fault === met.id && id !== row.id);
  return failed && <MessagePart title={`Failed since: ${failed.status}`} message={failed.response} />;
};
