import { Link } from "wouter";
import type { Profile } from "#client/index.ts";
import { useFaults } from "../../api/faults.ts";
import { useAddress } from "../../ui/address.ts";
import { StatusMark } from "../../ui/parts.tsx";
import { scenarioWords } from "./fault-words.ts";

/** What the scenario of a profile does, and a link to its fault. */
export const ScenarioLink = ({ profile: { appId, userId, scenario } }: { readonly profile: Profile }) => {
  const { hrefTo } = useAddress();
  const fault = useFaults().find(({ match, userId: id }) => id === userId && match.appId === appId);
  return (
    scenario !== null && (
      <Link className="link" href={hrefTo("simulate", { id: fault?.id ?? null, app: appId })}>
        <StatusMark tone="warn">{scenarioWords(scenario)}</StatusMark>
      </Link>
    )
  );
};
