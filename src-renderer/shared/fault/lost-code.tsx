import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { useFaults } from "../../api/faults.ts";
import { useAddress } from "../../ui/address.ts";
import { meets } from "./fault-words.ts";

interface OfLostCode {
  readonly passcode: Passcode;
  /** The look of a code in its place. */
  readonly className: string;
}

/** The fault that kept or keeps a code from arriving. */
export const LostCode = ({ passcode, className }: OfLostCode) => {
  const { hrefTo } = useAddress();
  const fault = useFaults().find(
    (one) => (one.effect.undelivered ?? one.effect.deliverAfterMs) !== undefined && meets(one, passcode),
  );
  return (
    <Link className={className} tabIndex={-1} href={hrefTo("simulate", { id: fault?.id ?? null })}>
      Fault
    </Link>
  );
};
