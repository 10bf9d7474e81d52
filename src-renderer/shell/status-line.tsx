import { Stack, UnstyledButton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useIsFetching, useIsMutating, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Status } from "#contract/control/status.ts";
import { statusQuery } from "../api/queries.ts";
import type { Connection } from "../api/stream.ts";
import { LanMark } from "../places/setup/lan-mark.tsx";
import { SimulatedMarks } from "../places/simulate/marks.tsx";
import { UndoStrip } from "../shared/history/undo-band.tsx";
import { openDialog } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { CodeBlock } from "../ui/code.tsx";
import { IS_INSTALLED } from "../ui/host.ts";
import { StatusMark } from "../ui/parts.tsx";
import type { Tone } from "../ui/tones.ts";
import classes from "./shell.module.css";

const openMemoryDialog = (): void =>
  openDialog(
    "Data only in memory",
    <Stack align="flex-start">
      {IS_INSTALLED ? (
        <p>
          STAGEDOOR_EPHEMERAL or STAGEDOOR_DURABILITY is set: profiles, codes and sessions are lost when Stagedoor
          stops. To keep them on this machine, unset it and restart Stagedoor.
        </p>
      ) : (
        <>
          <p>
            Stagedoor was started with --ephemeral or --durability memory: profiles, codes and sessions are lost when it
            stops. To keep them on this machine, restart with:
          </p>
          <CodeBlock what="Command" text="npm start" />
        </>
      )}
    </Stack>,
  );

const CONNECTIONS: Readonly<Record<Connection, readonly [tone: Tone, word: string]>> = {
  connecting: ["quiet", "Connecting"],
  open: ["ok", "Running"],
  away: ["bad", "Not running"],
};

const WAITING = ["warn", "Waiting…"] as const;
/** After so long without an answer the server is said to be slow, in milliseconds. */
const SILENT_MS = 3_000;

const Durability = ({ status }: { readonly status: Status }) =>
  status.durability === "memory" ? (
    <UnstyledButton className="warn" style={{ fontSize: "inherit" }} onClick={openMemoryDialog}>
      Data only in memory
    </UnstyledButton>
  ) : (
    <span title={status.dataDir ?? undefined}>Saved</span>
  );

/** Server, storage and what features say; what must not be missed is coloured. */
export const StatusLine = ({ connection }: { readonly connection: Connection }) => {
  const { data: status } = useQuery(statusQuery());
  const { address, hrefTo } = useAddress();
  const isBusy = useIsFetching() + useIsMutating() > 0;
  const [wasBusy] = useDebouncedValue(isBusy, SILENT_MS);
  const [tone, word] = connection === "open" && isBusy && wasBusy ? WAITING : CONNECTIONS[connection];
  return (
    <footer className={classes["status"]}>
      <StatusMark tone={tone}>
        <span data-testid="connection">{word}</span>
      </StatusMark>
      {status && connection !== "away" && (
        <>
          <Link
            className="mono mantine-visible-from-sm"
            href={hrefTo("setup")}
            aria-label={`Auth URL ${status.urls.auth}, to Setup`}
          >
            {new URL(status.urls.auth).host}
          </Link>
          <LanMark />
          <SimulatedMarks />
        </>
      )}
      <div className={classes["end"]}>
        <UndoStrip
          screen={address.screen}
          otherwise={status && connection !== "away" && <Durability status={status} />}
        />
      </div>
    </footer>
  );
};
