import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { effectiveSettings } from "#contract/settings.ts";
import { passcodesQuery } from "../../api/queries.ts";
import type { App, Passcode } from "../../api/records.ts";
import { requestsQuery } from "../../api/request-log.ts";
import { useAddress } from "../../ui/address.ts";
import { clockWords } from "../../ui/clock-words.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { useNow } from "../../ui/now.ts";
import { exactWords } from "../../ui/time-words.ts";
import { loginSteps, type Step } from "./login-steps.ts";
import classes from "./login-timeline.module.css";
import { statusAt } from "./passcode-status.ts";

const MOST = 200;

const StepLine = ({ step, appId }: { readonly step: Step; readonly appId: string }) => {
  const { address, hrefWith } = useAddress();
  const app = address.app === null ? null : appId;
  const elsewhere = { app, show: null, q: "" };
  return (
    <li className={classes.step}>
      <time
        className={`mono ${classes.time}`}
        {...(step.at === null ? {} : { dateTime: step.at, title: exactWords(step.at) })}
      >
        {step.at === null ? "" : clockWords(step.at)}
      </time>
      <span className={classes.dot} data-tone={step.tone} aria-hidden="true" />
      <span className={classes.what}>
        {step.requestId === undefined ? (
          <span className={classes.title}>{step.title}</span>
        ) : (
          <Link className={classes.title} href={hrefWith({ screen: "requests", id: step.requestId, ...elsewhere })}>
            {step.title}
          </Link>
        )}{" "}
        <bdi>{step.words}</bdi>
        {step.typed !== undefined && (
          <>
            , typed <bdi className={`mono ${classes.typed}`}>{step.typed === "" ? "(empty)" : step.typed}</bdi>
          </>
        )}
        {step.times > 1 && <span className={classes.times}> ×{step.times}</span>}
        {step.sessionId !== undefined && (
          <>
            {" "}
            <Link className={classes.session} href={hrefWith({ screen: "sessions", id: step.sessionId, ...elsewhere })}>
              Session
            </Link>
          </>
        )}
      </span>
    </li>
  );
};

const Waiting = ({ passcode, app }: { readonly passcode: Passcode; readonly app: App }) => {
  const left = effectiveSettings(app.settings).passcode.maxAttempts - passcode.attempts;
  const tries = left === 1 ? "1 try left" : `${left} tries left`;
  return (
    <li className={classes.step}>
      <span className={classes.time} />
      <span className={classes.dot} data-tone="waiting" aria-hidden="true" />
      <span className={classes.what}>
        <span className={classes.title}>Waiting for the right code</span> {left > 0 && <span>{tries}</span>}
      </span>
    </li>
  );
};

/** What became of a passcode, request by request, as it happens. */
export const LoginTimeline = ({ passcode, app }: { readonly passcode: Passcode; readonly app: App | undefined }) => {
  const { appId, userId } = passcode;
  const rows = useQuery(requestsQuery({ appId, userId }, MOST)).data?.items ?? [];
  const passcodes = useQuery(passcodesQuery(appId)).data?.items ?? [];
  const active = statusAt(passcode, useNow(appId)) === "active";
  return (
    <DetailPart title="This login">
      <ol className={classes.steps}>
        {loginSteps(passcode, app, passcodes, rows).map((step) => (
          <StepLine key={step.key} step={step} appId={appId} />
        ))}
        {active && app !== undefined && <Waiting passcode={passcode} app={app} />}
      </ol>
    </DetailPart>
  );
};
