/**
 * The profile, by way of the app's own backend: a browser never holds the app's secret.
 */
import { z } from "zod";
import { type Failure, send } from "./http.ts";

const profile = z.object({
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  favoriteSeat: z.string().nullable(),
});
/** The profile as the backend shows it. */
export type Profile = z.infer<typeof profile>;
/** What the user may change; an empty text is null. */
export type ProfileChange = Omit<Profile, "phone">;

/** @returns the profile, read with a session token, or changed first. */
export const myProfile = async (
  token: string,
  change?: ProfileChange,
): Promise<{ readonly kind: "profile"; readonly profile: Profile } | Failure> => {
  const answer = await send(change === undefined ? "GET" : "PUT", "/api/profile", {
    token,
    ...(change === undefined ? {} : { body: change }),
  });
  if (answer.kind !== "done") return answer;
  const found = profile.safeParse(answer.body);
  if (found.success) return { kind: "profile", profile: found.data };
  return { kind: "refused", status: answer.status, retryAfterSeconds: null, body: answer.body };
};
