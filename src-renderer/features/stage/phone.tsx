import { useElementSize } from "@mantine/hooks";
import type { RefObject } from "react";
import type { Passcode } from "#client/index.ts";
import classes from "./phone.module.css";

/** The unscaled height of the phone in pixels. */
const HEIGHT = 760;

const ICONS = {
  sms: "M4 5h16v11H10l-4 4v-4H4z",
  email: "M3 6h18v12H3zM3 6l9 7 9-7",
} as const;

/** The notification with a code: the first line of the message that contains it. */
const Message = ({ passcode, isShown }: { readonly passcode: Passcode | undefined; readonly isShown: boolean }) => {
  const { channel = "sms", message = "", code = "" } = passcode ?? {};
  const line = message.split("\n").find((one) => one.includes(code)) ?? "";
  const [before = "", after = ""] = code === "" ? [] : line.split(code, 2);
  return (
    <div className={classes["message"]} data-shown={isShown || undefined} data-testid="message" aria-hidden={!isShown}>
      <span className={classes["icon"]} data-channel={channel}>
        <svg
          width="22"
          height="22"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentcolor"
          strokeWidth="2"
          aria-hidden="true"
        >
          <path d={ICONS[channel]} strokeLinejoin="round" />
        </svg>
      </span>
      <p>
        <span>
          <strong>{channel === "sms" ? "Messages" : "Mail"}</strong> now
        </span>
        <bdi>
          {before}
          <strong data-code>{code}</strong>
          {after}
        </bdi>
      </p>
    </div>
  );
};

interface PhoneProps {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  /** The URL of the demo app on auth. */
  readonly src: string;
  /** The time of day on its screen. */
  readonly time: string;
  readonly offline: boolean;
  /** The newest code of the phone, and whether its notification is shown. */
  readonly passcode: Passcode | undefined;
  readonly isShown: boolean;
}

/** A generic phone with the demo app on its screen, and notifications that slide over it. */
export const Phone = ({ frame, src, time, offline, passcode, isShown }: PhoneProps) => {
  const { ref, height } = useElementSize();
  return (
    <div className={classes["room"]} ref={ref}>
      <div className={classes["phone"]} style={{ transform: `scale(${height / HEIGHT})` }}>
        <div className={classes["glass"]}>
          <div className={classes["bar"]} aria-hidden="true">
            <span>{time}</span>
            <span data-camera />
            <span>{offline ? "No network" : "5G"}</span>
          </div>
          <iframe
            ref={frame}
            key={src}
            src={src}
            title="Phone"
            sandbox="allow-scripts allow-same-origin allow-forms"
            referrerPolicy="no-referrer"
          />
          <Message passcode={passcode} isShown={isShown} />
          <span className={classes["home"]} aria-hidden="true" />
        </div>
      </div>
    </div>
  );
};
