import type { Passcode } from "../../api/records.ts";
import { recipientText } from "../../ui/phone.ts";
import { RelativeTime } from "../../ui/relative-time.tsx";
import classes from "./message-preview.module.css";

/** The text with the code in it marked. */
const MessageText = ({ message, code }: { readonly message: string; readonly code: string }) => {
  const at = message.indexOf(code);
  if (at < 0) return <>{message}</>;
  return (
    <>
      {message.slice(0, at)}
      <strong className={classes.code}>{code}</strong>
      {message.slice(at + code.length)}
    </>
  );
};

/** The message as the user's phone or mail program would show it. */
export const MessagePreview = ({ passcode, appName }: { readonly passcode: Passcode; readonly appName: string }) => {
  const { channel, to, message, code, createdAt, appId } = passcode;
  const time = <RelativeTime instant={createdAt} appId={appId} />;
  if (channel === "sms")
    return (
      <figure className={classes.device} aria-label="The message">
        <figcaption>Messages · {time}</figcaption>
        <p className={classes.bubble} dir="auto">
          <MessageText message={message} code={code} />
        </p>
      </figure>
    );
  return (
    <figure className={classes.device} aria-label="The message">
      <figcaption>Mail · {time}</figcaption>
      <div className={classes.mail}>
        <div className={classes.envelope}>
          <span>From</span>
          <bdi>{appName}</bdi>
          <span>To</span>
          <bdi>{recipientText(to)}</bdi>
        </div>
        <p dir="auto">
          <MessageText message={message} code={code} />
        </p>
      </div>
    </figure>
  );
};
