import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { LinkButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useTurningOff } from "./fault-actions.ts";
import { effectWords, meets, shareWords } from "./fault-words.ts";
import { SCENARIO_CHOICES } from "./scenario-words.ts";

/** The faults that the next request of a passcode's user meets. */
export const FaultsAhead = ({ passcode }: { readonly passcode: Passcode }) => {
  const faults = useFaults();
  const { hrefTo } = useAddress();
  const turnOff = useTurningOff();
  return (
    faults
      // The status line says which weather is on.
      .filter((fault) => isOn(fault) && fault.weather === undefined && meets(fault, passcode))
      .map((fault) => {
        const { id, effect, remaining, userId, scenario, match } = fault;
        return (
          <p key={id} className="warn">
            {userId === null ? (
              `Next request: ${effectWords(effect)}${shareWords(fault)}`
            ) : (
              <>
                Scenario:{" "}
                <Link className="link" href={hrefTo("users", { id: userId, app: match.appId ?? null })}>
                  {SCENARIO_CHOICES.find(([name]) => name === scenario)?.[1] ?? effectWords(effect)}
                </Link>
              </>
            )}
            {remaining !== null && ` · ${remaining} left`}{" "}
            <LinkButton onClick={() => turnOff.run([fault], false)}>Turn off</LinkButton>
          </p>
        );
      })
  );
};
