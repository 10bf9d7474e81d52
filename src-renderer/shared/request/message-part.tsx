import { Box } from "@mantine/core";
import type { RequestRow } from "#client/index.ts";
import { BOUNDS } from "#contract/bounds.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { many } from "#contract/words/words.ts";
import { Block, CopyButton } from "../../ui/code.tsx";
import { Fact, Facts } from "../../ui/parts.tsx";
import { DetailPart } from "../../ui/screen.tsx";

const encoder = new TextEncoder();
/** A truncated body can be this much shorter than the limit, because characters are not split. */
const SLACK_BYTES = 3;
const isCut = (body: string): boolean => encoder.encode(body).length >= BOUNDS.logBodyBytes.most - SLACK_BYTES;

/** @returns a body as people read it: JSON in lines, all else as it was sent. */
const readable = (body: string): string => {
  const value = parsedJson(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
};

const Headers = ({ headers }: Pick<RequestRow["request"], "headers">) => {
  const lines = Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  if (lines.length === 0) return <p className="small">No headers.</p>;
  return (
    <details className="small">
      <summary>{many(lines.length, "header")}</summary>
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

interface MessagePartProps {
  readonly title: string;
  readonly message: RequestRow["request"];
  readonly ignored?: readonly string[];
}

/** One direction of an exchange: collapsible headers, and the body. */
export const MessagePart = ({ title, message: { headers, body }, ignored = [] }: MessagePartProps) => (
  <DetailPart title={title}>
    <Headers headers={headers} />
    {body ? (
      <Box pos="relative">
        <Block label={`${title} body`}>{readable(body)}</Block>
        {isCut(body) && <p className="small">The log keeps the first 16 KiB of a body; the rest is not shown.</p>}
        <Box pos="absolute" top={4} right={4}>
          <CopyButton text={body} what={`${title} body`} size="compact-xs" />
        </Box>
      </Box>
    ) : (
      <p className="small">No body.</p>
    )}
    {ignored.length > 0 && (
      <p className="warn small">
        <bdi className="mono">{ignored.join(", ")}</bdi> {ignored.length === 1 ? "is" : "are"} ignored.
      </p>
    )}
  </DetailPart>
);
