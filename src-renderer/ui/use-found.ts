import { useQuery } from "@tanstack/react-query";
import { profileSearchQuery } from "../api/queries.ts";

const MOST = 1_000;

/** @returns what says whether the search finds a row: by one of its own texts, or by whose it is (names are searched by the server). */
export const useFound = (appId: string | null, q: string): ((userId: string, texts: readonly string[]) => boolean) => {
  const text = q.trim().toLowerCase();
  const { data } = useQuery({ ...profileSearchQuery(appId, text, MOST), enabled: text !== "" });
  if (text === "") return () => true;
  const users = new Set(data?.items.map((profile) => profile.userId));
  const digits = text.replaceAll(/[\s-]/g, "");
  return (userId, texts) =>
    users.has(userId) || (digits !== "" && texts.some((own) => own.toLowerCase().includes(digits)));
};
