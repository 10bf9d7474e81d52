import { Box, Group } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import type { RefObject } from "react";
import type { Passcode } from "#client/index.ts";
import type { Channel } from "#contract/service/strategies.ts";
import classes from "./phone.module.css";

/** The unscaled height of the phone in pixels. */
const HEIGHT = 760;

/** The app of a message, and its icon: color and path. */
const CHANNELS = {
  sms: ["Messages", "#2f9e63", "M4 5h16v11H10l-4 4v-4H4z"],
  email: ["Mail", "#2f6fd0", "M3 6h18v12H3zM3 6l9 7 9-7"],
} as const satisfies Record<Channel, readonly [app: string, color: string, path: string]>;

/** The notification with a code: the first line of the message that contains it. */
const Message = ({ passcode, isShown }: { readonly passcode: Passcode | undefined; readonly isShown: boolean }) => {
  const { channel = "sms", message = "", code = "" } = passcode ?? {};
  const [app, color, path] = CHANNELS[channel];
  const line = message.split("\n").find((one) => one.includes(code)) ?? "";
  const at = line.indexOf(code);
  const before = line.slice(0, Math.max(at, 0));
  const after = code === "" ? "" : line.slice(at + code.length);
  return (
    <div className={classes["message"]} data-shown={isShown || undefined} data-testid="message" aria-hidden={!isShown}>
      <Group justify="center" w={38} h={38} bdrs={10} bg={color} c="#fff">
        <svg width="22" viewBox="0 0 24 24" fill="none" stroke="currentcolor" strokeWidth="2" aria-hidden="true">
          <path d={path} strokeLinejoin="round" />
        </svg>
      </Group>
      <p>
        <Group component="span" justify="space-between" fz={13}>
          <strong>{app}</strong> now
        </Group>
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
  readonly onLoad: () => void;
  readonly src: string;
  /** The time of day on its screen. */
  readonly time: string;
  /** The newest code of the phone, and whether its notification is shown. */
  readonly passcode: Passcode | undefined;
  readonly isShown: boolean;
}

/** A generic phone with the demo app on its screen, and notifications that slide over it. */
export const Phone = ({ frame, onLoad, src, time, passcode, isShown }: PhoneProps) => {
  const { ref, height } = useElementSize();
  return (
    <div className={classes["room"]} ref={ref}>
      <div className={classes["phone"]} style={{ transform: `scale(${height / HEIGHT})` }}>
        <div className={classes["glass"]}>
          <div className={classes["bar"]} aria-hidden="true">
            <span>{time}</span>
            <Box component="span" w={14} h={14} bdrs="50%" bg="#08090b" />
            <Box component="span" fz={13} ta="end">
              5G
            </Box>
          </div>
          <iframe
            ref={frame}
            src={src}
            onLoad={onLoad}
            title="Phone"
            sandbox="allow-scripts allow-same-origin allow-forms"
            referrerPolicy="no-referrer"
          />
          <Message passcode={passcode} isShown={isShown} />
          <Box pos="absolute" inset="auto 0 8px" w={120} h={4} m="auto" bdrs={2} bg="currentcolor" opacity={0.5} />
        </div>
      </div>
    </div>
  );
};
