/** Probes of profiles: create, update and delete (D1 to D15). */

import { isJsonObject } from "#contract/scalars.ts";
import { type Observation, Unobservable } from "./observation.ts";
import { isTaken, type Probe, probe, statusSeen } from "./probe.ts";

/** Longer than the resolution of a service's clock is likely to be, in milliseconds. */
const TICK_MS = 1_100;
const NOBODY = "/v1/profiles/00000000-0000-4000-8000-000000000000";

const asExpected = (isSo: boolean, otherwise: string): Observation => (isSo ? { is: true } : { other: otherwise });

const ORDER = ["userId", "name", "phone", "email", "metadata", "createdAt", "updatedAt"] as const;

const isText = (value: unknown): boolean => typeof value === "string";

/** @returns whether it is lists of texts by field, of which the missing username is one. */
const isFieldErrors = (value: unknown): boolean =>
  isJsonObject(value) &&
  ["phone", "email"].some((field) => Object.hasOwn(value, field)) &&
  Object.values(value).every((list) => Array.isArray(list) && list.every(isText));

/** In order: earlier probes find what later ones need. */
export const PROFILE_PROBES: readonly Probe[] = [
  probe("D1", "profile.required", "Which fields does a new profile need?", async ({ lab, found }) => {
    const fields: string[] = [];
    const email = () => lab.freshEmail();
    const bare = await lab.create();
    if (bare.id === undefined) {
      if (!isTaken((await lab.createWithPhone({ email: email() })).reply, "a whole profile"))
        throw new Unobservable("a profile with name, phone and email is rejected");
      if (!isTaken((await lab.create({ email: email() })).reply, "a profile without phone")) fields.push("phone");
      if (!isTaken((await lab.createWithPhone()).reply, "a profile without email")) fields.push("email");
    }
    const others = fields.includes("email") ? { email: email() } : {};
    const nameless = { ...others, name: undefined };
    const made = fields.includes("phone") ? await lab.createWithPhone(nameless) : await lab.create(nameless);
    if (!isTaken(made.reply, "a profile without name")) fields.unshift("name");
    found.required = fields;
    return { is: fields };
  }),
  probe("D9", "profile.unique", "Are phone and email both unique?", async ({ lab, found }) => {
    const { phone, email } = await lab.profile();
    const samePhone = await lab.create({ phone, email: lab.freshEmail() });
    const sameEmail = await lab.createWithPhone({ email });
    const phoneIsUnique = !isTaken(samePhone.reply, "a second profile with a phone");
    const emailIsUnique = !isTaken(sameEmail.reply, "a second profile with an email");
    if (phoneIsUnique || emailIsUnique) found.takenStatus = (phoneIsUnique ? samePhone : sameEmail).reply.status;
    if (phoneIsUnique && emailIsUnique) return { is: "both" };
    return phoneIsUnique || emailIsUnique ? { is: "username" } : { other: "neither phone nor email is unique" };
  }),
  probe("D9", "profiles.takenStatus", "What is the status of a taken username?", async ({ found }) => {
    if (found.takenStatus === undefined) throw new Unobservable("no second profile is rejected");
    return statusSeen({ status: found.takenStatus }, 422, 409, 400);
  }),
  probe("D2", "update.null", "What does null do in an update?", async ({ lab, found }) => {
    const { id } = await lab.profile();
    const field = ["email", "name", "phone"].find((name) => found.required?.includes(name) === false) ?? "metadata";
    const { [field]: before } = await lab.read(id);
    if (!isTaken(await lab.change(id, { [field]: null }), `${field}: null`)) return { is: "refuse" };
    const { [field]: after } = await lab.read(id);
    if (after === null || after === undefined) return { is: "clear" };
    return JSON.stringify(after) === JSON.stringify(before)
      ? { is: "ignore" }
      : { other: `${field} became another value` };
  }),
  probe("D2", "update.touch", "Does updatedAt move if nothing changes?", async ({ lab }) => {
    const { id } = await lab.shared();
    const name = lab.name("touched");
    const changed = async (to: string): Promise<unknown> => {
      await lab.service.sleep(TICK_MS);
      await lab.change(id, { name: to });
      return (await lab.read(id))["updatedAt"];
    };
    const first = await changed(name);
    const same = await changed(name);
    const other = await changed(`${name} again`);
    if (first === other) throw new Unobservable("updatedAt does not move at all");
    return { is: same === first ? "onChange" : "always" };
  }),
  probe("D3", "metadata.merge", "Are nested objects of metadata merged?", async ({ lab }) => {
    const { id } = await lab.shared();
    await lab.change(id, { metadata: { outer: { a: 1 }, beside: 1 } });
    await lab.change(id, { metadata: { outer: { b: 2 } } });
    const { metadata } = await lab.read(id);
    if (!isJsonObject(metadata) || !isJsonObject(metadata["outer"])) throw new Unobservable("metadata is not kept");
    if (metadata["beside"] !== 1) return { other: "metadata is replaced as a whole" };
    return { is: metadata["outer"]["a"] === 1 ? "deep" : "shallow" };
  }),
  probe("D3", "metadata.null", "What does null do in metadata?", async ({ lab }) => {
    const { id } = await lab.shared();
    await lab.change(id, { metadata: { gone: 1 } });
    if (!isTaken(await lab.change(id, { metadata: { gone: null } }), "null in metadata"))
      return { other: "it is rejected" };
    const { metadata } = await lab.read(id);
    if (!isJsonObject(metadata)) throw new Unobservable("metadata is not kept");
    if (!Object.hasOwn(metadata, "gone")) return { is: "remove" };
    return metadata["gone"] === null ? { is: "keep" } : { other: "the key keeps its value" };
  }),
  probe("D4", null, "Do snake_case keys come back in camelCase?", async ({ lab }) => {
    const { id } = await lab.shared();
    await lab.change(id, { metadata: { favorite_color: "blue", API_KEY: "x" } });
    const { metadata } = await lab.read(id);
    const keys = isJsonObject(metadata) ? Object.keys(metadata) : [];
    const isSo = keys.includes("favoriteColor") && keys.includes("API_KEY");
    return asExpected(isSo, "snake_case keys come back otherwise");
  }),
  probe("D7", "validation", "Is an invalid phone number rejected?", async ({ lab }) => {
    const { id } = await lab.shared();
    return { is: isTaken(await lab.change(id, { phone: "12-34" }), "phone 12-34") ? "lenient" : "strict" };
  }),
  probe("D7", "profiles.invalidStatus", "What is the status of an invalid phone number?", async ({ lab }) => {
    const { id } = await lab.shared();
    const reply = await lab.change(id, { phone: "12-34" });
    if (reply.status < 300) throw new Unobservable("an invalid phone is stored");
    return statusSeen(reply, 422, 400);
  }),
  probe("D10", "unknownFields", "What happens to an unknown field?", async ({ lab }) => {
    const { id } = await lab.shared();
    const change = { name: lab.name("unknown"), conformUnknown: "x" };
    if (!isTaken(await lab.change(id, change), "an unknown field")) return { is: "refuse" };
    return Object.hasOwn(await lab.read(id), "conformUnknown") ? { other: "it is stored" } : { is: "ignore" };
  }),
  probe("D11", "updateResponsePhone", "Does the response to an update have the phone?", async ({ lab }) => {
    const { id, phone } = await lab.shared();
    const { status, body } = await lab.change(id, { phone });
    if (status !== 200 || !isJsonObject(body)) throw new Unobservable(`an update with a phone: status ${status}`);
    if (body["phone"] === null) return { is: "null" };
    return body["phone"] === phone ? { is: "value" } : { other: "phone has another value" };
  }),
  probe("D13", null, "Is an unknown id a 404?", async ({ lab }) => {
    const { status } = await lab.service.admin("GET", NOBODY);
    return asExpected(status === 404, `status ${status}`);
  }),
  probe("D14", "delete.again", "What is the response to a second deletion?", async ({ lab }) => {
    for (let tries = 0; tries < 3; tries++) {
      const { id } = await lab.profile();
      const first = await lab.delete(id);
      // A failed attempt may have deleted it already.
      if (first.retried) continue;
      if (first.status !== 204) return { other: `the first deletion has status ${first.status}` };
      return statusSeen(await lab.delete(id), 404, 204);
    }
    throw new Unobservable("the connection failed three times in the middle");
  }),
  probe("D15", null, "Is the order of the fields the specified one?", async ({ lab }) => {
    const keys = Object.keys(await lab.read((await lab.shared()).id));
    return asExpected(keys.join() === ORDER.join(), `the keys are ${keys.join(", ")}`);
  }),
  probe("D15", null, "Are times ISO 8601 in UTC?", async ({ lab }) => {
    const { createdAt, updatedAt } = await lab.read((await lab.shared()).id);
    const isIso = [createdAt, updatedAt].every((time) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(time)));
    return asExpected(isIso, `createdAt is ${JSON.stringify(createdAt)}`);
  }),
  probe("D25", "errors.shape", "What is in the body of an error?", async ({ lab }) => {
    const { status, body } = await lab.service.admin("GET", NOBODY);
    if (status < 400) throw new Unobservable("an unknown id is not an error");
    if (isJsonObject(body)) {
      if (typeof body["error"] === "string") return { is: "error" };
      if (typeof body["message"] === "string") return { is: "default" };
    }
    return { other: isJsonObject(body) ? `an object with ${Object.keys(body).join(", ")}` : "it is not a JSON object" };
  }),
  probe("D23", "errors.fields", "What is in the body of a 422?", async ({ lab }) => {
    const { status, body } = (await lab.start({ name: lab.name() })).reply;
    if (status !== 422) return { other: `a missing username has status ${status}` };
    if (isJsonObject(body) && isFieldErrors(body["errors"])) return { is: "nested" };
    return isFieldErrors(body) ? { is: "flat" } : { other: "no lists by field" };
  }),
];
