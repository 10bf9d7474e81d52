/**
 * `node tools/icons.mjs`: draws tools/icons/icon.svg in all sizes with a Chromium of this machine: `icons/*.png` for Linux,
 * `icon.icns` for macOS, `icon.ico` for Windows, `icon.png` for the window. Run it after a change of the drawing.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { ROOT } from "./build.mjs";

/** Width and height of the icons, in pixels. */
export const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
/** Types in an .icns file that hold a PNG, and their pixels; some are the double of a smaller size. */
const ICNS = /** @type {const} */ ([
  ["icp4", 16],
  ["icp5", 32],
  ["ic11", 32],
  ["ic12", 64],
  ["ic07", 128],
  ["ic13", 256],
  ["ic08", 256],
  ["ic14", 512],
  ["ic09", 512],
  ["ic10", 1024],
]);
const ICO = [16, 24, 32, 48, 64, 128, 256];

/** @typedef {(size: number) => Buffer} Pictures gives the PNG of a size */

/** @param {Pictures} png @returns {Buffer} an Apple icon: a header, then type, length and PNG of each size */
export const icns = (png) => {
  const parts = ICNS.map(([type, size]) => {
    const head = Buffer.from(`${type}....`);
    head.writeUInt32BE(8 + png(size).length, 4);
    return Buffer.concat([head, png(size)]);
  });
  const head = Buffer.from("icns....");
  head.writeUInt32BE(8 + Buffer.concat(parts).length, 4);
  return Buffer.concat([head, ...parts]);
};

/** @param {Pictures} png @returns {Buffer} a Windows icon: a header, a row for each size, then the PNGs; 0 stands for 256 pixels */
export const ico = (png) => {
  const head = Buffer.alloc(6 + 16 * ICO.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(ICO.length, 4);
  let offset = head.length;
  for (const [index, size] of ICO.entries()) {
    const row = head.subarray(6 + 16 * index);
    row[0] = row[1] = size % 256;
    row.writeUInt16LE(1, 4);
    row.writeUInt16LE(32, 6);
    row.writeUInt32LE(png(size).length, 8);
    row.writeUInt32LE(offset, 12);
    offset += png(size).length;
  }
  return Buffer.concat([head, ...ICO.map(png)]);
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const folder = join(ROOT, "tools/icons");
  const svg = readFileSync(join(folder, "icon.svg"), "utf8").replace("<svg", '<svg width="100%" height="100%"');
  const path = process.env["CHROME_PATH"];
  const browser = await chromium.launch(path === undefined ? { channel: "chrome" } : { executablePath: path });
  const page = await browser.newPage();
  const drawn = new Map();
  for (const size of SIZES) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    drawn.set(size, await page.screenshot({ omitBackground: true }));
  }
  await browser.close();
  mkdirSync(join(folder, "icons"), { recursive: true });
  for (const [size, png] of drawn) writeFileSync(join(folder, `icons/${size}x${size}.png`), png);
  const pngOf = (/** @type {number} */ size) => drawn.get(size);
  writeFileSync(join(folder, "icon.png"), pngOf(1024));
  writeFileSync(join(folder, "icon.icns"), icns(pngOf));
  writeFileSync(join(folder, "icon.ico"), ico(pngOf));
}
