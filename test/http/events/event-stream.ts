/** Reads server-sent events from a plain connection as they arrive. */
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { until } from "#test/http/control/support.ts";

/** One event. Of its item, the fields that tests read. */
interface Heard {
  readonly id: string;
  readonly type: string;
  readonly appId: string | null;
  readonly seq: number;
  readonly item: {
    readonly id?: string;
    readonly name?: string | null;
    readonly to?: string;
    readonly device?: string | null;
    readonly more?: number;
  } | null;
}

/** An open stream, or the response instead. */
export interface EventStream {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly events: readonly Heard[];
  /** Everything received, as text. */
  text(): string;
  ended(): boolean;
  /** Waits for a matching event. */
  next(fits: (event: Heard) => boolean, ms?: number): Promise<Heard>;
  pause(): void;
  resume(): void;
  close(): void;
}

const parse = (block: string): Heard[] => {
  const lines = block.split("\n");
  const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6));
  if (data.length === 0) return [];
  const id = lines.find((line) => line.startsWith("id: "))?.slice(4) ?? "";
  return [{ id, ...JSON.parse(data.join("\n")) }];
};

/** @returns the stream once its headers have arrived. */
export const openEvents = (
  consoleUrl: string,
  headers: Readonly<Record<string, string>> = {},
  query = "",
): Promise<EventStream> =>
  new Promise((resolve, reject) => {
    const events: Heard[] = [];
    let [all, rest, ended] = ["", "", false];
    const asked: ClientRequest = request(
      `${consoleUrl}/emulator/v1/events${query}`,
      { headers, agent: false },
      (response) => {
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          all += chunk;
          const blocks = (rest + chunk).split("\n\n");
          rest = blocks.pop() ?? "";
          for (const block of blocks) events.push(...parse(block));
        });
        const end = (): void => {
          ended = true;
        };
        response.once("close", end).once("error", end);
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          events,
          text: () => all,
          ended: () => ended,
          next: async (fits, ms) => {
            const found = await until(
              () => events.find(fits),
              (event) => event !== undefined,
              ms,
            );
            if (found === undefined) throw new Error("no such event");
            return found;
          },
          pause: () => void response.pause(),
          resume: () => void response.resume(),
          close: () => void asked.destroy(),
        });
      },
    );
    asked.once("error", reject).end();
  });
