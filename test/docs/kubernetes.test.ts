/** docs/deploy/kubernetes, as rendered by kubectl. Needs no cluster; without kubectl these tests are skipped. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { optionVariables, readConfig } from "#server/config.ts";
import { imageOf } from "#test/hosts/deploy-files.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { send } from "#test/http/guards/raw.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const OVERLAYS = ["job", "branch", "shards", "team"] as const;
const hasKubectl = spawnSync("kubectl", ["kustomize", "--help"]).status === 0;

/** The fields of an object that these tests read. */
const container = z.looseObject({
  name: z.string(),
  image: z.string(),
  args: z.array(z.string()).default([]),
  env: z.array(z.looseObject({ name: z.string(), value: z.string().exactOptional() })).default([]),
  restartPolicy: z.string().exactOptional(),
  resources: z.unknown().optional(),
  securityContext: z.record(z.string(), z.unknown()).default({}),
});
const pod = z.looseObject({
  enableServiceLinks: z.boolean(),
  securityContext: z.record(z.string(), z.unknown()).default({}),
  initContainers: z.array(container).default([]),
  containers: z.array(container),
});
const manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({ template: z.looseObject({ spec: pod }).exactOptional() }).exactOptional(),
});
type Manifest = z.infer<typeof manifest>;

const render = (overlay: string): Manifest[] => {
  const folder = join(CHECKOUT, "docs/deploy/kubernetes/overlays", overlay);
  const text = execFileSync("kubectl", ["kustomize", folder], { encoding: "utf8" });
  return parseAllDocuments(text).map((document) => manifest.parse(document.toJS()));
};
/** @returns the pod of an overlay and its emulator. */
const emulatorOf = (manifests: readonly Manifest[]) => {
  const spec = manifests.find(({ spec }) => spec?.template !== undefined)?.spec?.template?.spec ?? expect.fail();
  const own = [...spec.initContainers, ...spec.containers].find(({ name }) => name === "stagedoor") ?? expect.fail();
  return { pod: spec, own };
};
/** @returns a container's environment, as the kubelet would set it. */
const environmentOf = ({ env }: z.infer<typeof container>): Record<string, string> => {
  const known: Record<string, string> = { POD_NAME: "stagedoor-3", POD_NAMESPACE: "ci" };
  for (const { name, value } of env)
    if (value !== undefined) known[name] = value.replaceAll(/\$\((\w+)\)/g, (_, of: string) => known[of] ?? "");
  return known;
};
const hereIs = { platform: "linux", home: "/home/node", cwd: "/opt/stagedoor" } as const;

describe("rendered by kubectl", () => {
  const rendered = new Map<string, Manifest[]>();
  beforeAll(() => {
    if (hasKubectl) for (const overlay of OVERLAYS) rendered.set(overlay, render(overlay));
  });
  beforeEach(({ skip }) => {
    if (!hasKubectl) skip("kubectl is not installed");
  });
  const of = (overlay: string): Manifest[] => rendered.get(overlay) ?? expect.fail();

  test("every object matches the types generated from the published schemas; a misspelt field would not", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "stagedoor-kubernetes-")));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await symlink(join(CHECKOUT, "node_modules"), join(folder, "node_modules"), "junction");
    const compilerOptions = { strict: true, noEmit: true, types: [], module: "nodenext", skipLibCheck: true };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const head = `import type { StatefulSet } from "kubernetes-types/apps/v1";
      import type { Job } from "kubernetes-types/batch/v1";
      import type { ConfigMap, Service } from "kubernetes-types/core/v1";
      import type { NetworkPolicy } from "kubernetes-types/networking/v1";
      import type { PodDisruptionBudget } from "kubernetes-types/policy/v1";
      type Known = ConfigMap | Job | NetworkPolicy | PodDisruptionBudget | Service | StatefulSet;`;
    const check = async (manifests: readonly Manifest[]): Promise<string> => {
      await writeFile(join(folder, "check.ts"), `${head}\nexport const all: Known[] = ${JSON.stringify(manifests)};`);
      const tsc = join(CHECKOUT, "node_modules/typescript/bin/tsc");
      return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout;
    };
    const all = OVERLAYS.flatMap(of);
    expect(await check(all)).toBe("");
    const spoilt = structuredClone(all);
    Object.assign(emulatorOf(spoilt).own, { restartpolicy: "Always" });
    expect(await check(spoilt)).toMatch(/restartpolicy.* does not exist in type 'Container'/);
  });

  test.each(OVERLAYS)("%s: an emulator with minimal permissions, from one image", async (overlay) => {
    const { pod, own } = emulatorOf(of(overlay));
    const { version } = JSON.parse(await readFile(join(CHECKOUT, "package.json"), "utf8"));
    expect(own.image).toMatch(new RegExp(`^ghcr\\.io/[a-z0-9._/-]+:${version}$`));
    expect(pod.enableServiceLinks).toBe(false);
    expect({ ...pod.securityContext, ...own.securityContext }).toMatchObject({
      ...{ runAsNonRoot: true, runAsUser: 1000, allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      ...{ capabilities: { drop: ["ALL"] }, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(own.resources).toEqual({
      requests: { cpu: expect.any(String), memory: expect.stringMatching(/Mi$/) },
      limits: { memory: expect.stringMatching(/Mi$/) },
    });
    const variables = own.env.map(({ name }) => name).filter((name) => name.startsWith("STAGEDOOR_"));
    expect(optionVariables()).toEqual(expect.arrayContaining(variables));
  });

  test("job: a native sidecar in memory, reachable only by the tests on loopback", async () => {
    const { pod, own } = emulatorOf(of("job"));
    expect(pod.initContainers).toEqual([own]);
    expect(own).toMatchObject({ restartPolicy: "Always", args: ["start", "--ephemeral", "--json"], env: [] });
    const { healthCheck } = imageOf(await readFile(join(CHECKOUT, "docs/deploy/Dockerfile"), "utf8"));
    expect(own["startupProbe"]).toMatchObject({ exec: { command: healthCheck } });
  });

  test.each([
    ["branch", "memory"],
    ["shards", "memory"],
    ["team", "process"],
  ])("%s: open to other pods under the names they use, with durability %s", async (overlay, durability) => {
    const read = readConfig({}, environmentOf(emulatorOf(of(overlay)).own), hereIs);
    if (!("config" in read)) return expect.fail(read.errors.join());
    expect(read.config).toMatchObject({ lan: true, adminHost: "0.0.0.0", consoleHost: "0.0.0.0", durability });
    const { allowHosts } = read.config;
    const server = await startInProcess({ config: { allowHosts, consoleHost: "127.0.0.1", adminHost: "127.0.0.1" } });
    onTestFinished(() => server.close());
    const statusFor = async (url: string, host: string): Promise<number> =>
      (await send(url, ["GET /v1/profiles HTTP/1.1", `Host: ${host}`])).status;
    const names = ["stagedoor", "stagedoor-3.stagedoor", "stagedoor-3.stagedoor.ci.svc.cluster.local"];
    for (const name of names) expect(await statusFor(server.urls.admin, `${name}:4010`), name).toBe(401);
    expect(await statusFor(server.urls.admin, "stagedoor-4.stagedoor:4010")).toBe(421);
    expect(await statusFor(server.urls.console, "stagedoor-3.stagedoor:4012")).toBe(401);
  });

  test("shards: pods with stable names behind a headless Service; team: one pod at a time on its volume", () => {
    const set = (overlay: string) => of(overlay).find(({ kind }) => kind === "StatefulSet");
    expect(of("shards").find(({ kind }) => kind === "Service")).toMatchObject({ spec: { clusterIP: "None" } });
    expect(set("shards")).toMatchObject({ spec: { serviceName: "stagedoor", replicas: 10 } });
    expect(set("team")).toMatchObject({
      spec: { replicas: 1, volumeClaimTemplates: [{ spec: { accessModes: ["ReadWriteOncePod"] } }] },
    });
  });

  test("branch: its fixtures are valid", async () => {
    const config = of("branch").find(({ kind }) => kind === "ConfigMap");
    const { "fixtures.json": text } = z.object({ "fixtures.json": z.string() }).parse(config?.["data"]);
    const folder = await mkdtemp(join(tmpdir(), "stagedoor-branch-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "fixtures.json"), text);
    const server = await startInProcess({ config: { fixtures: [join(folder, "fixtures.json")] } });
    onTestFinished(() => server.close());
    const headers = { Authorization: "Bearer sk_preview" };
    expect((await fetch(`${server.urls.admin}/v1/profiles`, { headers })).headers.get("Total-Count")).toBe("2");
  });
});
