/** Recipients as people type them. */
import { StagedoorError } from "#client/index.ts";
import { recipientValue } from "#contract/words/phone-words.ts";
import { numberIn } from "#people/phone-reader.ts";

/** Calls with a recipient; if its form is refused, with the number that a file of users would have it read as. */
export const withRecipient = async <T>(typed: string, use: (to: string) => Promise<T>): Promise<T> => {
  try {
    return await use(recipientValue(typed));
  } catch (error) {
    const isRefused = error instanceof StagedoorError && error.status === 422 && !typed.includes("@");
    const number = isRefused ? await numberIn(typed) : undefined;
    if (number === undefined) throw error;
    return await use(number);
  }
};
