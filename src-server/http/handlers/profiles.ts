/** The admin interface: profiles (service.md 4.1). */
import { type EffectiveSettings, effectiveSettings } from "#contract/service/effective-settings.ts";
import { firstPageOf } from "#contract/service/profiles.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { createProfile, deleteProfiles, profileAnswer, profileUpdateAnswer, updateProfile } from "#domain/profiles.ts";
import { JSON_TYPE } from "../answering/answer.ts";
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";

type ListSettings = EffectiveSettings["list"];

/** One page of a list: its number from 1, its size, and the number of profiles before it. */
type Page = Readonly<Record<"page" | "limit" | "before", number>>;

const pageIn = (list: ListSettings, query: Readonly<Record<string, number>>): Page => {
  const { [list.pageParameter]: at = 1, [list.limitParameter]: limit = 1 } = query;
  if (list.pageParameter === "offset") return { page: Math.floor(at / limit) + 1, limit, before: at };
  const before = at - firstPageOf(list);
  return { page: before + 1, limit, before: before * limit };
};

/** @param url of the list, without query. @param total on all pages. @returns the headers of a page (D12; RFC 8288). */
const pageHeaders = (url: string, list: ListSettings, { page, limit }: Page, total: number): Record<string, string> => {
  const { pageParameter, limitParameter, firstPage } = list;
  const pages = Math.ceil(total / limit);
  const last = Math.max(1, pages);
  const link = (target: number, rel: string): string => {
    const at = pageParameter === "offset" ? (target - 1) * limit : target - 1 + firstPage;
    return `<${url}?${pageParameter}=${at}&${limitParameter}=${limit}>; rel="${rel}"`;
  };
  const links = [link(1, "first"), link(last, "last")];
  if (page > 1) links.push(link(Math.min(page - 1, last), "prev"));
  if (page < last) links.push(link(page + 1, "next"));
  return {
    "Current-Page": String(pageParameter === "offset" ? page : page - 1 + firstPage),
    "Page-Items": String(limit),
    "Total-Count": String(total),
    "Total-Pages": String(pages),
    Link: links.join(", "),
  };
};

const itemsOf = ({ order }: ListSettings, profiles: readonly ProfileRecord[], { before, limit }: Page) => {
  if (order === "oldest") return profiles.slice(before, before + limit);
  const end = Math.max(0, profiles.length - before);
  return profiles.slice(Math.max(0, end - limit), end).reverse();
};

/** @returns the handlers of the admin listener. */
export const createProfileHandlers = ({ store, place }: Deps): Handlers<"admin"> => ({
  createProfile: ({ cause, app, body, env, exchange }) => {
    const outcome = store.transact((world) => createProfile(world, app, body, env), cause);
    exchange.note(outcome.notes);
    if (!outcome.ok) return outcome;
    exchange.userId = outcome.value.userId;
    return { status: 201, body: profileAnswer(outcome.value) };
  },
  listProfiles: ({ app, query, req }) => {
    const { list } = effectiveSettings(app.app.settings);
    const page = pageIn(list, query);
    // The host that the client used, checked by the guard: in a container 127.0.0.1 would be the container.
    const { admin } = place.urls();
    const isPublic = admin !== place.listening().admin;
    const base = isPublic || req.headers.host === undefined ? admin : `http://${req.headers.host}`;
    const items = itemsOf(list, app.profiles, page).map(profileAnswer);
    const headers = pageHeaders(`${base}/v1/profiles`, list, page, app.profiles.length);
    if (list.envelope === "data")
      return { status: 200, text: JSON.stringify({ data: items }), contentType: JSON_TYPE, headers };
    return { status: 200, body: items, headers };
  },
  retrieveProfile: ({ profile }) => ({ status: 200, body: profileAnswer(profile) }),
  updateProfile: ({ cause, app, profile, body, env, exchange }) => {
    const outcome = store.transact((world) => updateProfile(world, app, profile, body, env), cause);
    exchange.note(outcome.notes);
    return outcome.ok ? { status: 200, body: profileUpdateAnswer(app, outcome.value, body) } : outcome;
  },
  deleteProfile: ({ cause, app, profile, env }) => {
    const outcome = store.transact((world) => deleteProfiles(world, [[app, [profile.userId]]], env), cause);
    return outcome.ok ? { status: 204, body: null } : outcome;
  },
});
