import type { RequestRow } from "#client/index.ts";
import { CopyButton } from "../../ui/code.tsx";
import { DetailPart } from "../../ui/screen.tsx";
import { Prose } from "./prose.tsx";

/** A whole body is too long for a button. */
const wordsOf = (send: string, at: string | undefined) =>
  at === "body" ? { what: "Body", label: "Copy body" } : { what: send, label: `Copy ${send}` };

interface CopySentProps {
  readonly row: RequestRow;
  readonly variant?: "default" | "filled";
}

/** Copies what the first advice says to send; nothing if it does not. */
export const CopySent = ({ row: { advice }, variant = "default" }: CopySentProps) => {
  const { send, at } = advice[0] ?? {};
  return send !== undefined && <CopyButton variant={variant} text={send} {...wordsOf(send, at)} />;
};

/** The advice of requests, each text once; nothing without any. @param failed whether it says how to fix something. */
export const AdvicePart = ({ rows, failed }: { readonly rows: readonly RequestRow[]; readonly failed: boolean }) => {
  const advice = new Map(rows.flatMap((row) => row.advice.map((one) => [one.text, one] as const)));
  if (advice.size === 0) return null;
  return (
    <DetailPart title={failed ? "How to fix" : "Advice"}>
      <ul className="bullets">
        {[...advice.values()].map(({ text, send, at }) => (
          <li key={text}>
            <Prose text={text} /> {send !== undefined && <CopyButton text={send} {...wordsOf(send, at)} />}
          </li>
        ))}
      </ul>
    </DetailPart>
  );
};
