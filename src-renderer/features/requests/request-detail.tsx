import { Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useProfile } from "../../api/profile.ts";
import { passcodesQuery, statusQuery } from "../../api/queries.ts";
import type { App } from "../../api/records.ts";
import type { RequestRow } from "../../api/request-log.ts";
import { useAddress } from "../../ui/address.ts";
import { copyText } from "../../ui/clipboard.ts";
import { clockWords } from "../../ui/clock-words.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { durationWords, outcomeWords, pathOnly, statusTone } from "../../ui/exchange-words.ts";
import { useKeys } from "../../ui/keys.ts";
import { StatusMark } from "../../ui/status-mark.tsx";
import { exactWords } from "../../ui/time-words.ts";
import { curlOf } from "./curl.ts";
import { FilterLink } from "./filter-link.tsx";
import { whatToChange } from "./hints.ts";
import { MessagePart } from "./message-part.tsx";
import classes from "./request-detail.module.css";
import { RestsOn } from "./rests-on.tsx";

interface RequestDetailProps {
  readonly row: RequestRow;
  /** The same call again and again, this one among them, newest first. */
  readonly retries: readonly RequestRow[];
  readonly apps: readonly App[];
  readonly onClose: () => void;
}

const Retries = ({ row, retries }: Pick<RequestDetailProps, "row" | "retries">) => {
  const { hrefWith } = useAddress();
  return (
    <DetailPart title={`The same call ${retries.length} times`}>
      <ol className={classes.retries}>
        {retries.map((retry) => (
          <li key={retry.id}>
            <Link href={hrefWith({ id: retry.id })} aria-current={retry.id === row.id ? "true" : undefined}>
              <time className="mono" dateTime={retry.at}>
                {clockWords(retry.at)}
                {retry.at.slice(19, 23)}
              </time>
            </Link>
          </li>
        ))}
      </ol>
    </DetailPart>
  );
};

const About = ({ row, apps }: Pick<RequestDetailProps, "row" | "apps">) => {
  const profile = useProfile(row.appId ?? "", row.userId ?? "");
  const user = row.userId === null ? null : (profile?.name ?? row.userId);
  return (
    <DetailPart title="About it">
      <Facts
        facts={[
          ["Method", <FilterLink key="method" field="method" value={row.method} />],
          ["Path", <FilterLink key="path" field="path" value={pathOnly(row.path)} />],
          ["Status", <FilterLink key="status" field="status" value={String(row.status)} />],
          ...(row.reason === null
            ? []
            : [["Reason", <FilterLink key="reason" field="reason" value={row.reason} />] as const]),
          ...(row.fault === null
            ? []
            : [
                [
                  "Fault",
                  <Link key="fault" className={classes.link} href={`/faults/${row.fault}`}>
                    Open the fault that it met
                  </Link>,
                ] as const,
              ]),
          ["Listener", <FilterLink key="listener" field="listener" value={row.listener} />],
          ...(row.appId === null
            ? []
            : [
                [
                  "App",
                  <FilterLink key="app" field="app" value={row.appId}>
                    <bdi>{apps.find(({ appId }) => appId === row.appId)?.name ?? row.appId}</bdi>
                  </FilterLink>,
                ] as const,
              ]),
          ...(row.userId === null
            ? []
            : [
                [
                  "User",
                  <FilterLink key="user" field="user" value={row.userId}>
                    <bdi>{user}</bdi>
                  </FilterLink>,
                ] as const,
              ]),
          [
            "At",
            <time key="at" dateTime={row.at} title={row.at}>
              {exactWords(row.at)}
            </time>,
          ],
          ["Took", durationWords(row.durationMs)],
          ["From", row.remote ?? "unknown"],
          [
            "Request id",
            <span key="id" className="mono">
              {row.id}
            </span>,
          ],
        ]}
      />
    </DetailPart>
  );
};

/** One request and its answer: what came of it, why, what to change, and all that was sent. */
export const RequestDetail = ({ row, retries, apps, onClose }: RequestDetailProps) => {
  const { data: status } = useQuery(statusQuery());
  const { data: sent } = useQuery({
    ...passcodesQuery(row.appId),
    enabled: row.reason?.startsWith("passcode_") ?? false,
  });
  const passcodes = sent?.items.filter(({ userId }) => userId === row.userId) ?? [];
  const changes = whatToChange(row, { apps, passcodes });
  const curl = status === undefined ? "" : curlOf(row, status.urls[row.listener]);
  useKeys({ c: () => (curl === "" ? false : copyText(curl, "cURL")) });
  return (
    <DetailPanel wide label={`${row.method} ${row.path}`} onClose={onClose}>
      <h2 className={`mono ${classes.title}`}>
        {row.method} <bdi>{row.path}</bdi>
      </h2>
      <p className={classes.outcome}>
        <StatusMark tone={statusTone(row.status)}>
          <strong>{row.status}</strong> <bdi>{outcomeWords(row)}</bdi>
        </StatusMark>
      </p>
      <div className={classes.actions}>
        <CopyButton
          text={curl}
          what="cURL"
          label="Copy as cURL"
          variant="filled"
          rightSection={<Kbd className={classes.key ?? ""}>c</Kbd>}
        />
      </div>
      {changes.length > 0 && (
        <DetailPart title="What to change">
          <ul className={classes.changes}>
            {changes.map((change) => (
              <li key={change}>
                <bdi>{change}</bdi>
              </li>
            ))}
          </ul>
        </DetailPart>
      )}
      {row.fault !== null && (
        <DetailPart title="Fault">
          <p>
            This request met the fault <span className="mono">{row.fault}</span>.
          </p>
        </DetailPart>
      )}
      {row.warnings.length > 0 && (
        <DetailPart title="Warnings">
          <ul className={classes.changes}>
            {row.warnings.map((warning) => (
              <li key={warning}>
                <bdi>{warning}</bdi>
              </li>
            ))}
          </ul>
        </DetailPart>
      )}
      {row.decision !== null && <RestsOn id={row.decision} />}
      {retries.length > 1 && <Retries row={row} retries={retries} />}
      <MessagePart title="Request" message={row.request} ignored={row.ignoredFields} />
      <MessagePart title="Answer" message={row.response} />
      <About row={row} apps={apps} />
    </DetailPanel>
  );
};
