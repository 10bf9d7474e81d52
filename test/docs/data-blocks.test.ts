/** Blocks of pages that are data, not commands: each is accepted where the page says that it belongs. */
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { passcodeItem } from "#contract/service/passcodes.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { runsOf } from "./accepted.ts";
import { blocksOf } from "./blocks.ts";

/** @returns the only block of a page in a language. */
const only = (page: string, language: string): string => {
  const [block, ...more] = blocksOf(page).filter((one) => one.language === language);
  expect(more).toEqual([]);
  return block?.text ?? expect.fail(`${page} has no ${language}`);
};
const server = async (config: { fixtures?: string[] } = {}) => {
  const running = await startInProcess({ config });
  onTestFinished(() => running.close());
  return clientsOf(() => running);
};

test("docs/tokens.md: its claims are in the token of a user with the metadata that they name", async () => {
  const { control } = await server();
  const claims: unknown = JSON.parse(only("docs/tokens.md", "json"));
  expect((await control("PATCH", "/apps/demo-app", { settings: { "token.claims": claims } })).status).toBe(200);
  const metadata = { roles: ["editor"], address: { city: "Oslo" } };
  const user = { appId: "demo-app", phone: "+12025550177", name: "Grace", metadata };
  const { userId } = (await control("POST", "/profiles", user)).json;
  const { token } = (await control("POST", "/sessions", { appId: "demo-app", userId })).json;
  expect(JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString())).toMatchObject({
    ...{ scope: "read write", name: "Grace", roles: ["editor"], city: "Oslo", auth_time: expect.any(Number) },
  });
});

test("docs/delivery.md: the row of a device is one that the control API can return", () => {
  const row: unknown = JSON.parse(only("docs/delivery.md", "json"));
  expect(passcodeItem.shape.devices.parse([row])).toEqual([row]);
});

test("docs/deploy/kubernetes.md: the components that a kustomization of one's own names are in this repository", () => {
  const own = z.object({ resources: z.array(z.string()), components: z.array(z.string()) });
  const { components } = own.parse(parse(only("docs/deploy/kubernetes.md", "yaml")));
  expect(components.map((url) => /\/\/([^?]+)\?ref=v\d/.exec(url)?.[1])).toEqual([
    "docs/deploy/kubernetes/sidecar",
    "docs/deploy/kubernetes/image",
  ]);
});

test("docs/recipes/github-actions.md: .github/workflows/test.yml has steps, and runs a command that exists", async () => {
  const step = z.union([
    z.strictObject({ run: z.string() }),
    z.strictObject({ uses: z.string(), with: z.looseObject({}).exactOptional() }),
  ]);
  const job = z.object({ "runs-on": z.string(), steps: z.array(step) });
  const { jobs } = z
    .object({ on: z.array(z.string()), jobs: z.record(z.string(), job) })
    .parse(parse(only("docs/recipes/github-actions.md", "yaml")));
  const lines = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((one) => ("run" in one ? [one.run] : [])));
  const [line = ""] = lines.flatMap((text) => /^npx stagedoor (.*)$/.exec(text)?.[1] ?? []);
  expect(await runsOf(line)).toBe(1);
});
