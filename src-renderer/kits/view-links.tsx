import type { Screen } from "#contract/screens.ts";
import { TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { viewsOf } from "./views.ts";

/** Links to the views of kits in the place of a screen. */
export const ViewLinks = ({ screen }: { readonly screen: Screen }) => {
  const { hrefWith } = useAddress();
  return viewsOf(screen).map(({ show, word }) => (
    <TextButton key={show} quiet href={hrefWith({ show, id: null, q: "" })} label={word} />
  ));
};
