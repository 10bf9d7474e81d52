import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { useFaults } from "../../api/faults.ts";
import { useAddress } from "../../ui/address.ts";
import { PRESETS } from "./fault-presets.ts";
import { effectWords } from "./fault-words.ts";

/** `plain`: no link. */
interface OfFault {
  readonly id: string;
  readonly plain?: boolean;
}

const faultName = ({ effect, times }: Fault): string => {
  const wanted = JSON.stringify(effect);
  const preset = PRESETS.find(({ fault }) => fault.times === times && JSON.stringify(fault.effect) === wanted);
  return preset?.title ?? effectWords(effect);
};

/** The name of the fault that a request met. */
export const FaultLink = ({ id, plain = false }: OfFault) => {
  const { hrefTo } = useAddress();
  const fault = useFaults().find((one) => one.id === id);
  if (fault === undefined) return <span className="warn">Fault (turned off since)</span>;
  if (plain) return <span className="warn">Fault: {faultName(fault)}</span>;
  return (
    <Link className="warn link" href={hrefTo("simulate", { id })}>
      Fault: {faultName(fault)}
    </Link>
  );
};
