/**
 * Measures PUT `state` with many profiles, the export after it, and `seed` from JSON, NDJSON and CSV, beside a plain Node
 * program that does the same work: parse, check, keep, write.
 *
 * `node test/bench/import.mjs --plain FILE OUT` is that program.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { APP } from "./operations.mjs";
import { CLI, cpuMs, memoryMb, startServer, stopServer } from "./servers.mjs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PHONE = /^\+[1-9]\d{6,14}$/;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
/** How long after the import its memory is measured, in milliseconds. */
const LATER_MS = 10_000;

/**
 * @typedef {{ userId: string, name: string, phone: string, email: string, metadata: Record<string, unknown> }} Profile
 */

/** The metadata of the fixtures, which are columns in CSV. */
const METADATA = ["plan", "favoriteColor", "seats"];

/** How to read and write profiles as rows. No value of the fixtures needs quotes in CSV. */
const ROWS = {
  ".ndjson": {
    write: (/** @type {Profile[]} */ profiles) => profiles.map((profile) => JSON.stringify(profile)).join("\n"),
    read: (/** @type {string} */ text) => text.split("\n").map((line) => JSON.parse(line)),
  },
  ".csv": {
    write: (/** @type {Profile[]} */ profiles) =>
      [
        ["userId", "name", "phone", "email", ...METADATA.map((key) => `metadata.${key}`)].join(","),
        ...profiles.map(({ userId, name, phone, email, metadata }) =>
          [userId, name, phone, email, ...METADATA.map((key) => metadata[key])].join(","),
        ),
      ].join("\n"),
    read: (/** @type {string} */ text) =>
      text
        .split("\n")
        .slice(1)
        .map((line) => {
          const [userId, name, phone, email, plan, favoriteColor, seats] = line.split(",");
          return { userId, name, phone, email, metadata: { plan, favoriteColor, seats } };
        }),
  },
};

/** @param {string} from a fixture file with one app, or rows */
const profilesIn = (from) => {
  const text = readFileSync(from, "utf8");
  const kind = extname(from);
  return kind === ".ndjson" || kind === ".csv" ? ROWS[kind].read(text) : JSON.parse(text).apps[0].profiles;
};

/**
 * @param {string} from the file to read
 * @param {string} to the file to write
 * @returns {{ cpuMs: number, memoryMb: number }} what it took, without the start of the process
 */
const importPlainly = (from, to) => {
  const before = process.cpuUsage();
  const now = new Date().toISOString();
  const byId = new Map();
  const byPhone = new Map();
  /** @type {string[]} */
  const lines = [];
  for (const { userId, name, phone, email, metadata } of profilesIn(from)) {
    const isValid = UUID.test(userId) && PHONE.test(phone) && EMAIL.test(email) && typeof metadata === "object";
    if (!isValid || name.length > 255 || byId.has(userId) || byPhone.has(phone)) throw new Error(`refused: ${userId}`);
    const seq = lines.length + 1;
    const record = { userId, seq, name, phone, email, metadata, createdAt: now, updatedAt: now };
    byId.set(userId, record);
    byPhone.set(phone, record);
    lines.push(JSON.stringify(record));
  }
  writeFileSync(to, lines.join("\n"));
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, memoryMb: memoryMb(process.pid) };
};

/**
 * @param {string} folder for its file
 * @param {string} from the file to read
 * @returns {{ cpuMs: number, memoryMb: number }}
 */
const plainly = (folder, from) => {
  const program = [fileURLToPath(import.meta.url), "--plain", from, join(folder, "plain.ndjson")];
  return JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8" }));
};

/** Has a process print its processor time at the end. */
const SAY_CPU = "data:text/javascript,process.on('exit',()=>console.error(JSON.stringify(process.cpuUsage())))";

/**
 * @param {string} folder for its files
 * @param {string} fixtures a fixture file
 * @returns {Promise<{ kind: string, cpuMs: number, serverCpuMs: number, plainCpuMs: number }[]>} `seed` from each format:
 * the processor time of command and server, with the start of the command, that of the server alone, and of plain Node
 */
export const measureSeeds = async (folder, fixtures) => {
  const [{ profiles, ...app }] = JSON.parse(readFileSync(fixtures, "utf8")).apps;
  const empty = join(folder, "empty.json");
  writeFileSync(empty, JSON.stringify({ version: 1, apps: [app] }));
  const files = Object.entries(ROWS).map(([kind, { write }]) => {
    const file = join(folder, `profiles${kind}`);
    writeFileSync(file, write(profiles));
    return file;
  });
  const results = [];
  for (const file of [fixtures, ...files]) {
    const server = await startServer("Stagedoor", { dataDir: mkdtempSync(join(folder, "seed-")), fixtures: empty });
    const pid = server.child.pid ?? 0;
    const before = cpuMs(pid);
    const rows = file === fixtures ? [] : ["--app", APP.appId];
    const command = ["--import", SAY_CPU, CLI, "seed", "--url", server.console, ...rows, file];
    const { status, stderr } = spawnSync(process.execPath, command, { encoding: "utf8" });
    const serverCpuMs = cpuMs(pid) - before;
    await stopServer(server);
    if (status !== 0) throw new Error(`seed ended with ${status}: ${stderr}`);
    const { user, system } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    const { cpuMs: plainCpuMs } = plainly(folder, file);
    results.push({
      kind: extname(file).slice(1),
      cpuMs: serverCpuMs + (user + system) / 1_000,
      serverCpuMs,
      plainCpuMs,
    });
  }
  return results;
};

/**
 * @typedef {object} Imported
 * @property {number} ms
 * @property {number} cpuMs
 * @property {number} memoryMb ten seconds later
 * @property {number} plainCpuMs
 * @property {number} plainMemoryMb
 * @property {number} exportCpuMs of the export of the same data
 */

/**
 * @param {string} folder for its files
 * @param {string} fixtures a fixture file
 * @returns {Promise<Imported>}
 */
export const measureImport = async (folder, fixtures) => {
  const plain = plainly(folder, fixtures);
  const server = await startServer("Stagedoor", { dataDir: join(folder, "import") });
  const pid = server.child.pid ?? 0;
  const parts = [Buffer.from('{"mode":"merge","state":'), readFileSync(fixtures), Buffer.from("}")];
  const headers = { "Content-Type": "application/json" };
  const before = cpuMs(pid);
  const begun = performance.now();
  const url = `${server.console}/emulator/v1/state`;
  const response = await fetch(url, { method: "PUT", headers, body: Buffer.concat(parts) });
  if (!response.ok) throw new Error(`The import was refused: ${await response.text()}`);
  await response.text();
  const ms = performance.now() - begun;
  const took = cpuMs(pid) - before;
  await new Promise((resolve) => setTimeout(resolve, LATER_MS));
  const later = memoryMb(pid);
  const beforeExport = cpuMs(pid);
  await (await fetch(url)).arrayBuffer();
  const exportCpuMs = cpuMs(pid) - beforeExport;
  await stopServer(server);
  const { cpuMs: plainCpuMs, memoryMb: plainMemoryMb } = plain;
  return { ms, cpuMs: took, memoryMb: later, plainCpuMs, plainMemoryMb, exportCpuMs };
};

const [, , flag, from = "", to = ""] = process.argv;
if (flag === "--plain") console.log(JSON.stringify(importPlainly(from, to)));
