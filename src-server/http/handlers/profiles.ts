/** The administration interface: profiles (SPEC 4.1). */
import { createProfile, deleteProfiles, profileAnswer, profileUpdateAnswer, updateProfile } from "#domain/profiles.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

/**
 * The headers of the paginated list (D12; RFC 8288 for Link). @param url of the list, without a query. @param page from 1. @param limit profiles on a page. @param total of all pages.
 * @returns the headers; `Link` is absolute, and `prev` of a page past the end is the last page.
 */
const pageHeaders = (url: string, page: number, limit: number, total: number): Record<string, string> => {
  const pages = Math.ceil(total / limit);
  const last = Math.max(1, pages);
  const link = (target: number, rel: string): string => `<${url}?page=${target}&limit=${limit}>; rel="${rel}"`;
  const links = [link(1, "first"), link(last, "last")];
  if (page > 1) links.push(link(Math.min(page - 1, last), "prev"));
  if (page < last) links.push(link(page + 1, "next"));
  return {
    "Current-Page": String(page),
    "Page-Items": String(limit),
    "Total-Count": String(total),
    "Total-Pages": String(pages),
    Link: links.join(", "),
  };
};

/** @returns the handlers of the admin listener. */
export const createProfileHandlers = ({ store, urls }: Deps): Handlers<"admin"> => ({
  createProfile: ({ app, body, env, exchange }) => {
    const outcome = store.transact((world) => createProfile(world, app, body, env));
    exchange.note(outcome.notes);
    if (!outcome.ok) return outcome;
    exchange.userId = outcome.value.userId;
    return { status: 201, body: profileAnswer(outcome.value) };
  },
  listProfiles: ({ app, query: { page, limit }, req }) => {
    // By the name that the client used: 127.0.0.1 would lead a container to itself. The guard has checked it.
    const base = req.headers.host === undefined ? urls().admin : `http://${req.headers.host}`;
    const items = app.profiles.slice((page - 1) * limit, page * limit).map(profileAnswer);
    return {
      status: 200,
      body: items,
      headers: pageHeaders(`${base}/v1/profiles`, page, limit, app.profiles.length),
    };
  },
  retrieveProfile: ({ profile }) => ({ status: 200, body: profileAnswer(profile) }),
  updateProfile: ({ app, profile, body, env, exchange }) => {
    const outcome = store.transact((world) => updateProfile(world, app, profile, body, env));
    exchange.note(outcome.notes);
    return outcome.ok ? { status: 200, body: profileUpdateAnswer(app, outcome.value, body) } : outcome;
  },
  deleteProfile: ({ app, profile, env }) => {
    const outcome = store.transact((world) => deleteProfiles(world, app, [profile.userId], env));
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
});
