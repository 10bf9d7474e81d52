import { Box, Stack, UnstyledButton } from "@mantine/core";
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
import { useLasting } from "../ui/use-lasting.ts";
import classes from "./shell.module.css";

const openMemoryDialog = (): void =>
  openDialog(
    "Data only in memory",
    <Stack align="flex-start">
      <p>
        Profiles, codes and sessions are lost when Stagedoor stops.{" "}
        {IS_INSTALLED
          ? "To keep them, unset STAGEDOOR_EPHEMERAL and STAGEDOOR_DURABILITY, and restart Stagedoor."
          : "To keep them on this machine, restart without --ephemeral and --durability memory:"}
      </p>
      {!IS_INSTALLED && <CodeBlock what="Command" text="npm start" />}
    </Stack>,
  );

const CONNECTIONS: Readonly<Record<Connection, readonly [tone: Tone, word: string]>> = {
  connecting: ["quiet", "Connecting"],
  open: ["ok", "Running"],
  away: ["bad", "Not running"],
};
const WAITING = ["warn", "Waiting…"] as const;
/** A server that has not answered for this long is said to be slow. */
const SLOW_MS = 3_000;

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
  // Asked again and again: a frozen server keeps its event stream open.
  const { data: status } = useQuery({ ...statusQuery(), refetchInterval: SLOW_MS });
  const isSlow = useLasting(useIsFetching() + useIsMutating() > 0, SLOW_MS);
  const { address, hrefTo } = useAddress();
  const [tone, word] = isSlow && connection === "open" ? WAITING : CONNECTIONS[connection];
  return (
    <footer className={classes["status"]}>
      <StatusMark tone={tone}>
        {/* As wide for “Running” as for “Waiting…”: nothing next to it moves. */}
        <Box component="span" display="inline-block" miw={54} data-testid="connection">
          {word}
        </Box>
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
