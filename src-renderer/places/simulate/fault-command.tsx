import { useQuery } from "@tanstack/react-query";
import type { FaultInput } from "#client/index.ts";
import { statusQuery } from "../../api/queries.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { faultCurl } from "./fault-draft.ts";

/** A command that adds a fault. */
export const FaultCommand = ({ fault }: { readonly fault: FaultInput }) => {
  const { data: status } = useQuery(statusQuery());
  return status && <CodeBlock what="Command" text={faultCurl(status.urls.console, fault)} />;
};
