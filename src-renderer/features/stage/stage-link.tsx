import { TextButton } from "../../ui/action.tsx";

/** A tour of a login on a phone, with the users of the app; those of all are made up. */
export const StageLink = ({ appId }: { readonly appId: string | null }) => (
  <TextButton
    href={appId === null ? "/stage" : `/stage?appId=${encodeURIComponent(appId)}`}
    label="Watch a demo login"
  />
);
