import { Box } from "@mantine/core";
import type { RequestRow } from "#client/index.ts";
import { BOUNDS } from "#contract/bounds.ts";
import { Block } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { DetailPart } from "../../ui/detail-panel.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { readJson } from "../../ui/wire-shape.ts";
import { JsonView } from "./json-view.tsx";

const encoder = new TextEncoder();
/** A character that would be cut in two is left out: a body that was cut may be this much shorter. */
const SLACK_BYTES = 3;
const isCut = (body: string): boolean => encoder.encode(body).length >= BOUNDS.logBodyBytes.most - SLACK_BYTES;

const Headers = ({ headers }: Pick<RequestRow["request"], "headers">) => {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((one) => [name, one] as const),
  );
  if (lines.length === 0) return <p className="small">No headers.</p>;
  return (
    <details className="small">
      <summary>{lines.length === 1 ? "1 header" : `${lines.length} headers`}</summary>
      <Facts names={152}>
        {lines.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the headers of a row never change
          <Fact key={index} name={<span className="mono">{name}</span>}>
            <bdi className="mono">{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </details>
  );
};

const Body = ({ body, ignored }: { readonly body: string; readonly ignored: readonly string[] }) => {
  const value = readJson(body);
  return (
    <>
      {value === undefined ? <Block label="Body">{body}</Block> : <JsonView value={value} marked={new Set(ignored)} />}
      {isCut(body) && <p className="small">The log keeps the first 16 KiB of a body; the rest is not shown.</p>}
    </>
  );
};

interface MessagePartProps {
  readonly title: string;
  readonly message: RequestRow["request"];
  /** Fields that were ignored, with their paths. */
  readonly ignored?: readonly string[];
}

/** One direction of an exchange: headers, folded, and the body. */
export const MessagePart = ({ title, message, ignored = [] }: MessagePartProps) => {
  const { headers, body } = message;
  return (
    <DetailPart title={title}>
      <Headers headers={headers} />
      {body === null || body === "" ? (
        <p className="small">No body.</p>
      ) : (
        <Box pos="relative">
          <Body body={body} ignored={ignored} />
          <Box pos="absolute" top={4} right={4}>
            <CopyButton text={body} what={`${title} body`} size="compact-xs" />
          </Box>
        </Box>
      )}
      {ignored.length > 0 && (
        <p className="small">
          <bdi className="mono">{ignored.join(", ")}</bdi> {ignored.length === 1 ? "is" : "are"} ignored.
        </p>
      )}
    </DetailPart>
  );
};
