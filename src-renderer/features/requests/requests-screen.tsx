import { Screen } from "../../ui/screen.tsx";
import { LoadingRows } from "../../ui/states.tsx";

/** Every request of admin and auth, newest first. */
export const RequestsScreen = () => (
  <Screen title="Requests">
    <LoadingRows />
  </Screen>
);
