import { Screen } from "../../ui/screen.tsx";
import { LoadingRows } from "../../ui/states.tsx";

/** The apps and their settings. */
export const AppsScreen = () => (
  <Screen title="Apps">
    <LoadingRows />
  </Screen>
);
