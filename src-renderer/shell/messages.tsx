import { Notifications } from "@mantine/notifications";

/** The messages in the corner. */
export const Messages = () => <Notifications position="bottom-right" />;
