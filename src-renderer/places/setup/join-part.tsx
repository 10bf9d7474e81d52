import { useQuery } from "@tanstack/react-query";
import { statusQuery } from "../../api/queries.ts";
import { Section } from "../../ui/screen.tsx";

const JOIN_TOKEN =
  "A join token is set: with it, each job creates its own leased app and gets a token bound to that app.";
const NO_JOIN_TOKEN =
  "No join token is set. To let CI jobs create leased apps here, set STAGEDOOR_CONSOLE_HOST and STAGEDOOR_JOIN_TOKEN, then restart.";

/** Whether jobs can create leased apps here, and how. */
export const JoinPart = () => {
  const { data: status } = useQuery(statusQuery());
  return (
    <Section title="Shared with CI jobs">
      <p className="dim">{status?.joinToken === true ? JOIN_TOKEN : NO_JOIN_TOKEN}</p>
    </Section>
  );
};
