import { Group, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RequestRow } from "#client/index.ts";
import type { ReplayInput } from "#client/records.ts";
import { decisionOn, lostWords, refusalWords } from "#contract/control/refusals.ts";
import { traceIdsOf } from "#contract/words/traces.ts";
import { sentence } from "#contract/words/words.ts";
import { emulator } from "../../api/emulator.ts";
import { nameOf, requestCurlQuery, useApps, useProfile } from "../../api/queries.ts";
import { FailedSince, FailNextButton } from "../../shared/fault/fail-next.tsx";
import { FaultLink } from "../../shared/fault/fault-link.tsx";
import { downloadLogin } from "../../shared/login/download-login.ts";
import { repeatWords } from "../../shared/login/stories.ts";
import { AdvicePart, CopySent } from "../../shared/request/advice-part.tsx";
import { CreateAppButton, useUnknownApp } from "../../shared/request/create-app.tsx";
import { MessagePart } from "../../shared/request/message-part.tsx";
import { Prose } from "../../shared/request/prose.tsx";
import { durationWords, pathOnly, type QueryField, titleWords } from "../../shared/request/query.ts";
import { ActionButton, announce } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { BulletList, ExactTime, Facts, StatusMark } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { statusTone } from "../../ui/tones.ts";
import { clockWords } from "../../ui/words.ts";
import { correctionOf, sentAt } from "./correction.ts";
import { FilterLink } from "./query-chips.tsx";

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

const BASIS = {
  specification: "Required by the specification.",
  field: "Not in the specification; similar public APIs work this way.",
  assumption: "Not in the specification: our assumption. Check it against the real service.",
} as const;

const About = ({ row }: { readonly row: RequestRow }) => {
  const { method, status, reason, check, carriedOut, repeats, listener, appId, userId, at, remote, id } = row;
  const profile = useProfile(appId ?? "", userId ?? "");
  const app = useApps().appOf(appId);
  const { hrefWith } = useAddress();
  const decision = decisionOn(row);
  const filter = (field: QueryField, value: string | null, words: ReactNode = value) =>
    value !== null && (
      <FilterLink field={field} value={value}>
        <bdi>{words}</bdi>
      </FilterLink>
    );
  return (
    <DetailPart title="Details">
      <Facts
        names={116}
        ruled
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
          User: filter("user", userId, profile === null ? "Deleted user" : nameOf(profile)),
          Trace: filter("trace", traceIdsOf(row.request.headers)[0] ?? null),
          Time: <ExactTime at={at} />,
          Duration: durationWords(row.durationMs),
          From: remote ?? "unknown",
          Behaviour: decision && `${decision.title}: ${decision.sentence} ${BASIS[decision.basis]}`,
          "Request id": <span className="mono">{id}</span>,
          "See also": decision && <span className="mono">docs/fidelity.md#{row.decision?.toLowerCase()}</span>,
        }}
      />
    </DetailPart>
  );
};

/** What was sent, what would have been accepted, and how to fix it. */
const Fix = ({ row }: { readonly row: RequestRow }) => {
  const [first] = row.advice;
  if (first === undefined) return null;
  const sent = sentAt(row);
  const isShort = first.send !== undefined && first.at !== "body";
  return (
    <DetailPart title={row.status >= 400 ? "How to fix" : "Advice"}>
      <Facts
        names={80}
        ruled
        of={{
          Received: sent !== undefined && <bdi className="mono bad">{sent === "" ? "(empty)" : sent}</bdi>,
          Expected: isShort && <bdi className="mono">{first.send}</bdi>,
          Fix: <Prose text={first.text} />,
        }}
      />
    </DetailPart>
  );
};

/** What one does next: create the app, send it right, type the right code; else send it again. */
const Next = ({ row, resend }: { row: RequestRow; resend: (change?: ReplayInput) => Promise<void> }) => {
  const unknown = useUnknownApp(row);
  if (unknown !== undefined) return <CreateAppButton row={row} />;
  const change = correctionOf(row);
  if (row.login?.typed != null && change !== undefined) return <CopySent row={row} variant="filled" />;
  const label = change === undefined ? "Resend" : "Resend corrected";
  return <ActionButton variant="filled" label={label} act={() => resend(change)} />;
};

/** One request and its response: the verdict, how to fix it, and all headers and bodies. */
export const RequestDetail = ({ row, retries, onClose }: RequestDetailProps) => {
  const { appOf } = useApps();
  // Loaded in advance, because browsers only allow copying immediately.
  const { data: withSecret = null, isError } = useQuery(requestCurlQuery(row.id));
  const secret = appOf(row.appId)?.secret ?? "";
  const maskSecret = (command: string): string =>
    secret === "" ? command : command.replaceAll(secret, "<APP_SECRET>");
  const curl = withSecret === null ? null : maskSecret(withSecret);
  const call = `${row.method} ${row.path}`;
  const { go } = useAddress();
  const resend = async (change?: ReplayInput): Promise<void> => {
    const { requestId } = await emulator.requests.replay(row.id, change);
    announce("Request sent again");
    if (requestId !== null) go({ id: requestId });
  };
  // A press before it is loaded copies it once it is.
  const readCurl = async (): Promise<string> => maskSecret((await emulator.requests.curl(row.id)).trim());
  const what = "curl command";
  const copyCurl = () => copyText(curl ?? readCurl(), what);
  useKeys({ c: copyCurl });
  const rest = row.advice.slice(1);
  return (
    <DetailPanel
      label={call}
      title={row.fault === null ? sentence(titleWords(row)) : "Simulated"}
      sub={
        <>
          <StatusMark tone={row.fault === null ? statusTone(row.status) : "warn"}>
            <strong>{row.status}</strong> <span className="mono small">{call}</span>
          </StatusMark>
          {row.fault !== null && (
            <>
              {" "}
              <FaultLink id={row.fault} />
            </>
          )}
        </>
      }
      onClose={onClose}
    >
      <Fix row={row} />
      <Group mt={16}>
        <Next row={row} resend={resend} />
        <FailNextButton row={row} />
        <ActionsMenu
          label={`More for ${call}`}
          items={() => [
            { label: "Resend", act: () => resend() },
            { label: "Copy as curl", act: copyCurl, disabled: isError },
            { label: "Copy with secret", act: () => copyText(withSecret ?? "", what), disabled: curl === withSecret },
            { label: "Download login", act: () => downloadLogin(row) },
          ]}
        />
      </Group>
      {rest.length > 0 && <AdvicePart rows={[{ ...row, advice: rest }]} failed={false} />}
      {row.warnings.length > 0 && (
        <DetailPart title="Warnings">
          <BulletList items={row.warnings} />
        </DetailPart>
      )}
      {retries.length > 1 && <Retries row={row} retries={retries} />}
      <MessagePart title="Request" message={row.request} ignored={row.ignoredFields} />
      {isError && <p className="small">The log does not have the complete body of this request.</p>}
      <SimpleGrid minColWidth={220} autoFlow="auto-fit" spacing={16}>
        <MessagePart title="Response" message={row.response} />
        <FailedSince row={row} />
      </SimpleGrid>
      <About row={row} />
    </DetailPanel>
  );
};
