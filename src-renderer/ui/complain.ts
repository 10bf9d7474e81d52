import { notifications } from "@mantine/notifications";
import { wordsOf } from "../api/request-failed.ts";

/** Shows what went wrong, in the words of the error. */
export const complain = (error: unknown): void => {
  notifications.show({ title: "That did not work", message: wordsOf(error), color: "red", withBorder: true });
};
