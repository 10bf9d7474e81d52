/** A small service whose behaviour is composed of deviations, such as ids that are numbers. For tests. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A profile; further fields as sent. */
export interface Person {
  readonly id: number;
  name?: string | null;
  phone?: string | null;
  email?: string | null;
  [field: string]: unknown;
}

interface Asked {
  readonly method: string;
  /** `list`, `profile`, `create` or `session`. */
  readonly route: string;
  readonly query: URLSearchParams;
  /** How many requests this service has had, including this one. */
  readonly count: number;
}

/** `body`: text is sent as HTML. `fate`: what happens to the answer on its way. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fate?: "late" | "cut";
}

/** What a service does differently. */
export interface Deviation {
  /** @returns how an id is written. */
  readonly idOf?: (id: number) => unknown;
  /** The number of the first page, the largest page, and the order of the list. */
  readonly list?: {
    readonly first?: number;
    readonly most?: number;
    readonly ignoresPage?: boolean;
    readonly sorted?: (people: readonly Person[]) => readonly Person[];
  };
  /** A method that the service does not have. */
  readonly lacks?: string;
  /** @returns another answer to a request that was processed. */
  readonly answer?: (asked: Asked, answer: Answer) => Answer;
}

const created = (change: (answer: Answer) => Answer): Deviation => ({
  answer: ({ route }, answer) => (route === "create" && answer.status === 201 ? change(answer) : answer),
});

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listed = (change: (items: readonly unknown[], asked: Asked) => Answer): Deviation => ({
  answer: (asked, answer) =>
    asked.route === "list" && Array.isArray(answer.body) ? change(answer.body, asked) : answer,
});

const DAMAGED = "<!doctype html><title>Welcome</title>";
let random = 1;

/** The deviations by name. */
export const DEVIATIONS: Readonly<Record<string, Deviation>> = {
  "errors are JSON:API with 400": {
    answer: (_, answer) =>
      answer.status >= 400 ? { status: 400, body: { errors: [{ status: "400", title: "Bad" }] } } : answer,
  },
  "ids are numbers": { idOf: (id) => id },
  "a creation answers without an id": created(({ status }) => ({ status, body: { ok: true } })),
  "a creation answers with the id of something else": created(({ status }) => ({ status, body: { id: 1, ok: true } })),
  "a creation answers late": created((answer) => ({ ...answer, fate: "late" })),
  "a creation's answer is cut off": created((answer) => ({ ...answer, fate: "cut" })),
  "a creation answers with HTML": created(() => ({ status: 200, body: DAMAGED })),
  "a creation's answer is empty": created(({ status }) => ({ status })),
  "a creation answers 500": created(() => ({ status: 500, body: { error: "oops" } })),
  "a creation redirects": created(() => ({ status: 303, headers: { location: "/v1/profiles" } })),
  "the list has another shape": listed((items) => ({ status: 200, body: { page: { items } } })),
  "the list ignores the page": { list: { ignoresPage: true } },
  "the list never ends": listed((items, { query }) => {
    const isFirst = !query.has("page");
    return { status: 200, body: isFirst ? items : [{ userId: `made-up-${random++}`, name: "Bo" }] };
  }),
  "the list is always empty": listed(() => ({ status: 200, body: [] })),
  "everything answers 500 from the second request on": {
    answer: ({ count }, answer) => (count > 1 ? { status: 500, body: {} } : answer),
  },
  "a deletion is 405": { lacks: "DELETE" },
};

const byText = (field: string) => (people: readonly Person[]) =>
  people.toSorted((a, b) => (String(a[field]) < String(b[field]) ? -1 : 1));

/** @param timeOf how `createdAt` is written. */
const timed = (timeOf: (person: Record<string, unknown>) => unknown): Deviation => ({
  answer: (_, answer) => {
    const change = (item: unknown): unknown => (isRecord(item) ? { ...item, createdAt: timeOf(item) } : item);
    const { body } = answer;
    return {
      ...answer,
      body: Array.isArray(body) ? body.map(change) : isRecord(body) && body["userId"] ? change(body) : body,
    };
  },
});

/** Deviations of a run that goes well, by what it must not be taken for. */
export const WAYS: Readonly<Record<string, Deviation>> = {
  "pages count from 0": { list: { first: 0 } },
  "pages have 6 profiles at most": { list: { most: 6 } },
  "sorted by name": { list: { sorted: byText("name") } },
  "sorted by updatedAt": { list: { sorted: byText("updatedAt") } },
  "in another order each time": { list: { sorted: (people) => people.toSorted(() => (random++ % 3) - 1) } },
  "times are epoch seconds": timed(({ createdAt }) => Date.parse(String(createdAt)) / 1_000),
  "times are days, the day first": timed(({ userId }) => {
    const days = Number.parseInt(String(userId).replace(/\D/g, ""), 10) * 5;
    const [day, month] = [1 + (days % 12), 1 + (Math.floor(days / 12) % 12)].map((one) => String(one).padStart(2, "0"));
    return `${day}/${month}/2026`;
  }),
  "422 is JSON:API": {
    answer: (_, answer) => (answer.status === 422 ? { status: 422, body: { errors: [{ title: "phone" }] } } : answer),
  },
  "expiration is 0": {
    answer: ({ route }, answer) =>
      route === "session" && isRecord(answer.body) && answer.status === 200
        ? { ...answer, body: { ...answer.body, expiration: 0 } }
        : answer,
  },
};

/** A service of its own, at paths of its own. */
export interface DeviantService {
  readonly urls: Readonly<Record<"adminUrl" | "authUrl" | "appId" | "secret", string>>;
  readonly people: readonly Person[];
  readonly requests: () => number;
}

/** @returns a function that answers one request, before the deviations. */
const plainService = (people: Person[], idOf: (id: number) => unknown, list: Deviation["list"] = {}) => {
  let last = 0;
  const shown = ({ id, ...rest }: Person) => ({ userId: idOf(id), ...rest });
  const add = (fields: object): Person => {
    const now = new Date(Date.UTC(2026, 0, 1) + ++last * 1_000).toISOString();
    const person: Person = { ...fields, id: last, createdAt: now, updatedAt: now };
    people.push(person);
    return person;
  };
  const answer = (method: string, path: string, query: URLSearchParams, body: Record<string, unknown>): Answer => {
    if (path === "/v1/users/session") {
      const user = isRecord(body["user"]) ? body["user"] : {};
      if (method !== "POST") return { status: 401, body: { message: "no" } };
      if (body["appId"] !== "app") return { status: 401, body: { message: "unknown app" } };
      if (typeof user["phone"] !== "string") return { status: 422, body: { phone: ["can't be blank"] } };
      if (people.some(({ phone }) => phone === user["phone"])) return { status: 202 };
      const { id } = add(user);
      return { status: 200, body: { id: "session", expiration: 2e9, userId: idOf(id), token: "t" } };
    }
    if (path === "/v1/profiles" && method === "POST") {
      if (people.some(({ phone }) => phone !== undefined && phone === body["phone"]))
        return { status: 422, body: { phone: ["has already been taken"] } };
      return { status: 201, body: shown(add(body)) };
    }
    if (path === "/v1/profiles") {
      const { first = 1, most = 1_000, ignoresPage = false, sorted = (all) => all } = list;
      const limit = Math.min(Number(query.get("limit") ?? 5), most);
      const start = ignoresPage ? 0 : (Number(query.get("page") ?? first) - first) * limit;
      const page = sorted(people).slice(Math.max(0, start), Math.max(0, start + limit));
      return { status: 200, body: page.map(shown) };
    }
    const at = people.findIndex(({ id }) => path === `/v1/profiles/${idOf(id)}`);
    const person = people[at];
    if (person === undefined) return { status: 404, body: { message: "Not Found" } };
    if (method === "PUT")
      Object.assign(person, body, { updatedAt: new Date(Date.UTC(2026, 1, 1) + ++last).toISOString() });
    if (method !== "DELETE") return { status: 200, body: shown(person) };
    people.splice(at, 1);
    return { status: 204 };
  };
  return { add, answer };
};

/** Starts a server. @returns `service`, which adds a service with deviations, and `close`. */
export const startDeviantServices = async () => {
  type Handle = (method: string, path: string, query: URLSearchParams, body: string) => Answer;
  const services: Handle[] = [];
  const server = createServer((req, res) => {
    void text(req).then((body) => {
      const { pathname, searchParams } = new URL(req.url ?? "/", "http://x");
      const [, number, ...path] = pathname.split("/");
      const handle = services[Number(number)];
      const answer = handle?.(req.method ?? "", `/${path.join("/")}`, searchParams, body) ?? { status: 404 };
      const sent = typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body);
      const headers: Record<string, string> = { ...answer.headers };
      if (answer.fate === "late") headers["late"] = "yes";
      if (answer.fate === "cut") headers["content-length"] = "100000";
      res.writeHead(answer.status, headers);
      if (answer.fate === "cut") res.write("{", () => req.socket.destroy());
      else res.end(sent);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const service = (names: readonly string[]): DeviantService => {
    const people: Person[] = [];
    let count = 0;
    const deviations = names.map((name) => DEVIATIONS[name] ?? WAYS[name] ?? {});
    const idOf = deviations.find((one) => one.idOf !== undefined)?.idOf ?? ((id: number) => `user-${id}`);
    const plain = plainService(people, idOf, deviations.find(({ list }) => list !== undefined)?.list);
    for (let n = 1; n <= 7; n++) plain.add({ name: `Resident ${n}`, phone: `+1202555019${n}` });
    const url = `http://127.0.0.1:${port}/${services.length}`;
    services.push((method, path, query, body) => {
      count++;
      const given: unknown = body === "" ? {} : JSON.parse(body);
      const isLacking = deviations.some(({ lacks }) => lacks === method);
      const first = isLacking
        ? { status: 405, body: {} }
        : plain.answer(method, path, query, isRecord(given) ? given : {});
      const isList = path === "/v1/profiles";
      const route = path.endsWith("session") ? "session" : !isList ? "profile" : method === "POST" ? "create" : "list";
      const asked = { method, route, query, count };
      return deviations.reduce((answer, one) => one.answer?.(asked, answer) ?? answer, first);
    });
    return { urls: { adminUrl: url, authUrl: url, appId: "app", secret: "s" }, people, requests: () => count };
  };
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { service, close };
};
