import type { Passcode } from "#client/index.ts";
import { lifeLeft, StatusMark, useNow } from "../../ui/parts.tsx";
import type { Standing } from "./standing.ts";

interface CodeMarkProps {
  readonly passcode: Passcode | undefined;
  readonly standing: Standing;
  /** With the time that is left, instead of the word. */
  readonly timed?: boolean;
}

/** How a login stands: a word, with a pie of what is left of its code while it waits. */
export const CodeMark = ({ passcode, standing: { kind, tone, word }, timed = false }: CodeMarkProps) => {
  const nowMs = useNow(passcode?.appId ?? null);
  if (passcode === undefined || !(kind === "waiting" || (kind === "wrong" && timed)))
    return <StatusMark tone={tone}>{word}</StatusMark>;
  const left = lifeLeft({ nowMs, ...passcode });
  return (
    <StatusMark tone={left.tone} share={left.share}>
      {timed ? left.children : word}
    </StatusMark>
  );
};
