/** Loads after the first view. */
import { useThrottledValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { storiesOf } from "../../shared/login/stories.ts";
import { StorySteps } from "../../shared/login/story-steps.tsx";
import { AdvicePart } from "../../shared/request/advice-part.tsx";
import { useAddress } from "../../ui/address.ts";

const MOST = 200;
/** Limits the requests in a burst of codes for different users. */
const PAUSE_MS = 300;

/** The requests of a passcode's login, live. @param end the last line. */
export const Login = (props: { readonly passcode: Passcode; readonly end: string }) => {
  const { appId, userId, id } = useThrottledValue(props.passcode, PAUSE_MS);
  const { hrefTo } = useAddress();
  const { data, isPlaceholderData } = useQuery(requestsQuery({ appId, userId }, MOST));
  const passcodes = useLiveList(passcodeList, appId, false).data?.items.filter((one) => one.userId === userId) ?? [];
  const rows = isPlaceholderData || data === undefined ? [] : data.items;
  const of = passcodes.some((one) => one.id === id) || props.passcode.id !== id ? passcodes : [props.passcode];
  const story = storiesOf(rows, of).find((one) => one.passcodes.some((passcode) => passcode.id === id));
  if (story === undefined) return null;
  const failed = (story.rows.at(-1)?.status ?? 0) >= 400;
  const advised = failed ? story.rows.slice(-1) : story.rows.filter(({ status }) => status < 400);
  return (
    <>
      <StorySteps story={story} end={props.end} />
      <AdvicePart rows={advised} failed={failed} />
      {rows.length > 0 && (
        <Link className="link small" href={hrefTo("requests", { id: story.id, show: "logins" })}>
          View login
        </Link>
      )}
    </>
  );
};
