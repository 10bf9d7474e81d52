import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";
import type { OfLostCode } from "../manifest.ts";
import { meets } from "./fault-words.ts";
import { useFaults } from "./queries.ts";

/** The fault that kept or keeps a code from arriving. */
export const LostCode = ({ passcode, className }: OfLostCode) => {
  const { hrefTo } = useAddress();
  const fault = useFaults().find(
    (one) => (one.effect.undelivered ?? one.effect.deliverAfterMs) !== undefined && meets(one, passcode),
  );
  return (
    <Link className={className} tabIndex={-1} href={hrefTo("faults", { id: fault?.id ?? null })}>
      Fault
    </Link>
  );
};
