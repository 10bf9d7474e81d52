/**
 * Measures PUT `state` with many profiles beside a plain Node program that does the same work: parse, check, keep, write.
 *
 * `node test/bench/import.mjs --plain FILE OUT` is that program.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cpuMs, memoryMb, startServer, stopServer } from "./servers.mjs";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PHONE = /^\+[1-9]\d{6,14}$/;
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;
/** How long after the import its memory is measured, in milliseconds. */
const LATER_MS = 10_000;

/**
 * @param {string} from a fixture file
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
  for (const { profiles } of JSON.parse(readFileSync(from, "utf8")).apps)
    for (const { userId, name, phone, email, metadata } of profiles) {
      const isValid = UUID.test(userId) && PHONE.test(phone) && EMAIL.test(email) && typeof metadata === "object";
      if (!isValid || name.length > 255 || byId.has(userId) || byPhone.has(phone))
        throw new Error(`refused: ${userId}`);
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
 * @param {string} folder for its files
 * @param {string} fixtures a fixture file
 * @returns {Promise<{ ms: number, cpuMs: number, memoryMb: number, plainCpuMs: number, plainMemoryMb: number }>}
 */
export const measureImport = async (folder, fixtures) => {
  const program = [fileURLToPath(import.meta.url), "--plain", fixtures, join(folder, "plain.ndjson")];
  const plain = JSON.parse(execFileSync(process.execPath, program, { encoding: "utf8" }));
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
  await stopServer(server);
  return { ms, cpuMs: took, memoryMb: later, plainCpuMs: plain.cpuMs, plainMemoryMb: plain.memoryMb };
};

const [, , flag, from = "", to = ""] = process.argv;
if (flag === "--plain") console.log(JSON.stringify(importPlainly(from, to)));
