import type { Passcode } from "#client/index.ts";
import { CHANNELS } from "#contract/service/strategies.ts";
import { CopyButton } from "../../ui/code.tsx";

const KIND = { android: "Android", ios: "iOS" } as const;

/** Links in a message, also those that open an app, such as `acme://login`. */
const LINK = /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s<>"]{1,2000}/gi;

/** The message that a code was sent in, its links, and where it was delivered. */
export const CodeMessage = ({ passcode: { channel, message, code, devices } }: { readonly passcode: Passcode }) => {
  // A message can have the code twice: in its words, and in a last line for autofill.
  const at = message.indexOf(code);
  const after = at < 0 ? undefined : message.slice(at + code.length);
  const before = at < 0 ? message : message.slice(0, at);
  const links = [...new Set(message.match(LINK) ?? [])];
  return (
    <div className="small">
      <p>
        {CHANNELS[channel].word}:{" "}
        <bdi style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
          {before}
          {after !== undefined && <strong className="warn">{code}</strong>}
          {after}
        </bdi>
      </p>
      {links.map((link) => (
        <p key={link}>
          <CopyButton text={link} what="Link" label={links.length === 1 ? "Copy link" : `Copy ${link}`} />
        </p>
      ))}
      {devices.map(({ kind, id, name, status, detail, otherHash }) => (
        <p key={`${kind} ${id}`} className={status === "failed" ? "bad" : otherHash && "warn"}>
          <bdi>
            {[KIND[kind], name ?? id].filter(Boolean).join(" · ")}: {status === "failed" && "not delivered. "}
            {detail}.
          </bdi>
        </p>
      ))}
    </div>
  );
};
