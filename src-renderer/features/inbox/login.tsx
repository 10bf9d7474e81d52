import { useThrottledValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { useLiveList } from "../../api/live-list.ts";
import { useApps } from "../../api/profile.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { stepsOf, storiesOf } from "../requests/stories.ts";
import { StorySteps } from "../requests/story-steps.tsx";

const MOST = 200;
/** In a burst of codes each would ask for the requests of another user. */
const PAUSE_MS = 300;

/** What became of a passcode, request by request, as it happens. @param end how it stands. */
export const Login = (props: { readonly passcode: Passcode; readonly end: string }) => {
  const { appId, userId, id } = useThrottledValue(props.passcode, PAUSE_MS);
  const { hrefTo } = useAddress();
  const { apps } = useApps();
  const { data, isPlaceholderData } = useQuery(requestsQuery({ appId, userId }, MOST));
  const passcodes = useLiveList(passcodeList, appId, false).data?.items.filter((one) => one.userId === userId) ?? [];
  const rows = isPlaceholderData || data === undefined ? [] : data.items;
  const of = passcodes.some((one) => one.id === id) || props.passcode.id !== id ? passcodes : [props.passcode];
  const story = storiesOf(rows, apps, of).find(({ passcode }) => passcode?.id === id);
  if (story === undefined) return null;
  const steps = stepsOf(story, apps);
  return (
    <>
      <StorySteps steps={steps} code={story.passcode?.code} end={props.end} />
      {rows.length > 0 && (
        <Link className="link small" href={hrefTo("requests", { id: story.id, show: "logins" })}>
          View requests
        </Link>
      )}
    </>
  );
};
