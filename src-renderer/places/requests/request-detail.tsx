import { Group, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import { lostWords, refusalWords } from "#contract/control/refusals.ts";
import { traceIdsOf } from "#contract/words/traces.ts";
import { emulator } from "../../api/emulator.ts";
import { requestCurlQuery, useApps, useProfile } from "../../api/queries.ts";
import { FailedSince, FailNextButton } from "../../shared/fault/fail-next.tsx";
import { FaultLink } from "../../shared/fault/fault-link.tsx";
import { repeatWords } from "../../shared/login/stories.ts";
import { AdvicePart } from "../../shared/request/advice-part.tsx";
import { CreateAppButton } from "../../shared/request/create-app.tsx";
import { MessagePart } from "../../shared/request/message-part.tsx";
import { durationWords, pathOnly, type QueryField, titleWords } from "../../shared/request/query.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CopyButton, copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { ExactTime, Facts, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { statusTone } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { DownloadButton } from "./download-button.tsx";
import { Behaviour, Bullets, FilterLink } from "./request-line.tsx";

interface RequestDetailProps {
  readonly row: RequestRow;
  /** Repetitions of the same call, including this one, newest first. */
  readonly retries: readonly RequestRow[];
  readonly onClose: () => void;
}

const Retries = ({ row, retries }: Pick<RequestDetailProps, "row" | "retries">) => {
  const { hrefWith } = useAddress();
  return (
    <DetailPart title={`Repeated ${retries.length} times`}>
      <Group component="ol" gap="4px 12px">
        {retries.map((retry) => (
          <li key={retry.id}>
            <Link
              className="link small"
              href={hrefWith({ id: retry.id })}
              aria-current={retry.id === row.id ? "true" : undefined}
            >
              <time className="mono" dateTime={retry.at}>
                {clockWords(retry.at)}
                {retry.at.slice(19, 23)}
              </time>
            </Link>
          </li>
        ))}
      </Group>
      <bdi className="small">{repeatWords(retries)}</bdi>
    </DetailPart>
  );
};

const About = ({ row }: { readonly row: RequestRow }) => {
  const { method, status, reason, check, carriedOut, repeats, listener, appId, userId, at, remote, id } = row;
  const profile = useProfile(appId ?? "", userId ?? "");
  const app = useApps().appOf(appId);
  const { hrefWith } = useAddress();
  const filter = (field: QueryField, value: string | null, words = value) =>
    value !== null && (
      <FilterLink field={field} value={value}>
        <bdi>{words}</bdi>
      </FilterLink>
    );
  return (
    <DetailPart title="Details">
      <Facts
        of={{
          Method: filter("method", method),
          Path: filter("path", pathOnly(row.path)),
          Status: filter("status", String(status)),
          Reason: reason !== null && (
            <>
              {filter("reason", reason)}: <bdi>{refusalWords(row)}</bdi>
            </>
          ),
          "Rejected by": check,
          "Carried out": carriedOut && <span className="warn">{lostWords(row)}</span>,
          Repeats: repeats && (
            <Link className="link" href={hrefWith({ id: repeats })}>
              View first request
            </Link>
          ),
          Listener: filter("listener", listener),
          App: filter("app", appId, app?.name),
          User: filter("user", userId, profile?.name ?? userId),
          Trace: filter("trace", traceIdsOf(row.request.headers)[0] ?? null),
          Time: <ExactTime at={at} />,
          Duration: durationWords(row.durationMs),
          From: remote ?? "unknown",
          "Request id": <span className="mono">{id}</span>,
        }}
      />
    </DetailPart>
  );
};

const CURL = { what: "curl command" } as const;

/** One request and its response: the outcome, its cause, how to fix it, and all headers and bodies. */
export const RequestDetail = ({ row, retries, onClose }: RequestDetailProps) => {
  const { appOf } = useApps();
  // Loaded in advance, because browsers only allow copying immediately.
  const { data: withSecret = null, isError } = useQuery(requestCurlQuery(row.id));
  const secret = appOf(row.appId)?.secret ?? "";
  const maskSecret = (command: string): string =>
    secret === "" ? command : command.replaceAll(secret, "<APP_SECRET>");
  const curl = withSecret === null ? null : maskSecret(withSecret);
  const title = `${row.method} ${row.path}`;
  const { go } = useAddress();
  const resend = async (): Promise<void> => {
    const { requestId } = await emulator.requests.replay(row.id);
    if (requestId !== null) go({ id: requestId });
  };
  // A press before it is loaded copies it once it is.
  const readCurl = async (): Promise<string> => maskSecret((await emulator.requests.curl(row.id)).trim());
  useKeys({ c: () => copyText(curl ?? readCurl(), "curl command") });
  return (
    <DetailPanel
      title={title}
      head={<span className="mono">{title}</span>}
      sub={
        <StatusMark tone={row.fault === null ? statusTone(row.status) : "warn"}>
          <strong>{row.status}</strong>{" "}
          {row.fault === null ? <bdi>{titleWords(row)}</bdi> : <FaultLink id={row.fault} />}
        </StatusMark>
      }
      onClose={onClose}
    >
      <Group>
        <CopyButton {...CURL} text={curl ?? ""} label="Copy as curl" variant="filled" disabled={!curl} keys="c" />
        {curl !== withSecret && <CopyButton {...CURL} text={withSecret ?? ""} label="Copy with secret" />}
        <ActionButton label="Resend" disabled={curl === null} act={resend} says="Request sent again" />
        <DownloadButton row={row} />
        <FailNextButton row={row} />
      </Group>
      {isError && <p className="small">The log does not have the complete body of this request.</p>}
      <AdvicePart rows={[row]} failed={row.status >= 400} />
      <CreateAppButton row={row} />
      <Bullets title="Warnings" items={row.warnings} />
      {retries.length > 1 && <Retries row={row} retries={retries} />}
      <MessagePart title="Request" message={row.request} ignored={row.ignoredFields} />
      <SimpleGrid minColWidth={220} autoFlow="auto-fit" spacing={16}>
        <MessagePart title="Response" message={row.response} />
        <FailedSince row={row} />
      </SimpleGrid>
      <About row={row} />
      <Behaviour row={row} />
    </DetailPanel>
  );
};
