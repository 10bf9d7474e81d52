import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { faultList } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { PRESETS } from "../faults/fault-presets.ts";
import { effectWords } from "../faults/fault-words.ts";

/** @returns the preset's name, else what the fault does. */
const faultName = ({ effect, times }: Pick<Fault, "effect" | "times">): string => {
  const same = (fault: { readonly effect: unknown; readonly times?: number | null }): boolean =>
    fault.times === times && JSON.stringify(fault.effect) === JSON.stringify(effect);
  return PRESETS.find(({ fault }) => same(fault))?.title ?? effectWords(effect);
};

/** The fault that a request met, by its name. @param quiet out of the tab order, in a row. */
export const FaultLink = ({ id, quiet = false }: { readonly id: string; readonly quiet?: boolean }) => {
  const { hrefWith } = useAddress();
  const fault = useQuery(faultList.query(null)).data?.items.find((one) => one.id === id);
  if (fault === undefined) return <span className="warn">Fault (turned off since)</span>;
  const href = hrefWith({ screen: "faults", id, show: null, q: "" });
  return (
    <Link className="warn link" href={href} tabIndex={quiet ? -1 : 0}>
      Fault: {faultName(fault)}
    </Link>
  );
};
