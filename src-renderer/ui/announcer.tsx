import { notifications } from "@mantine/notifications";
import { create } from "zustand";
import { explain } from "../api/emulator.ts";

const useSaid = create<{ readonly text: string }>(() => ({ text: "" }));

/** Says something to who cannot see the page change. */
export const announce = (text: string): void =>
  // A screen reader keeps silent on a text that did not change; a space it does not read makes it another.
  useSaid.setState((said) => ({ text: text === said.text ? `${text}\u00a0` : text }));

/** The live region. */
export const Announcer = () => (
  <div className="spoken" role="status" aria-live="polite">
    {useSaid().text}
  </div>
);

/** Shows what went wrong, in the words of the error. */
export const complain = (error: unknown): void => {
  notifications.show({ title: "That did not work", message: explain(error), color: "red", withBorder: true });
};
