import { LOG_LIMITS } from "#contract/requests.ts";
import type { RequestRow } from "../../api/request-log.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { readJson } from "../../ui/wire-shape.ts";
import { JsonView } from "./json-view.tsx";
import classes from "./message-part.module.css";

const encoder = new TextEncoder();
/** A character that would be cut in two is left out: a body that was cut may be this much shorter. */
const SLACK_BYTES = 3;
const isCut = (body: string): boolean => encoder.encode(body).length >= LOG_LIMITS.bodyBytes - SLACK_BYTES;

const Headers = ({ headers }: Pick<RequestRow["request"], "headers">) => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
  );
  if (lines.length === 0) return <p className={classes.quiet}>No headers.</p>;
  return (
    <details className={classes.headers}>
      <summary>{lines.length === 1 ? "1 header" : `${lines.length} headers`}</summary>
      <dl className="mono">
        {lines.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the headers of a row never change
          <div key={index}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
};

const Body = ({ body, ignored }: { readonly body: string; readonly ignored: readonly string[] }) => {
  const value = readJson(body);
  return (
    <>
      {value === undefined ? (
        <pre className={`mono ${classes.raw}`}>{body}</pre>
      ) : (
        <JsonView value={value} marked={new Set(ignored)} />
      )}
      {isCut(body) && <p className={classes.quiet}>The log keeps the first 16 KiB of a body; the rest is not shown.</p>}
    </>
  );
};

interface MessagePartProps {
  readonly title: string;
  readonly message: RequestRow["request"];
  /** Fields that nothing read, with their paths. */
  readonly ignored?: readonly string[];
}

/** One direction of an exchange: headers, folded, and the body. */
export const MessagePart = ({ title, message, ignored = [] }: MessagePartProps) => {
  const { headers, body } = message;
  return (
    <DetailPart title={title}>
      <Headers headers={headers} />
      {body === null || body === "" ? (
        <p className={classes.quiet}>No body.</p>
      ) : (
        <div className={classes.body}>
          <Body body={body} ignored={ignored} />
          <div className={classes.copy}>
            <CopyButton text={body} what={`${title} body`} />
          </div>
        </div>
      )}
      {ignored.length > 0 && (
        <p className={classes.quiet}>
          Nothing reads <bdi className="mono">{ignored.join(", ")}</bdi>.
        </p>
      )}
    </DetailPart>
  );
};
