import { notifications } from "@mantine/notifications";
import { explain } from "../api/emulator.ts";

/** Shows what went wrong, in the words of the error. */
export const complain = (error: unknown): void => {
  notifications.show({ title: "That did not work", message: explain(error), color: "red", withBorder: true });
};
