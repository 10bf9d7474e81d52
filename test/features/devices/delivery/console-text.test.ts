import fc from "fast-check";
import { expect, test } from "vitest";
import { consoleText, emulatorsIn } from "#features/devices/delivery/android.ts";
import { simulatorsIn } from "#features/devices/delivery/ios.ts";

/** Reads a text as the emulator console does, by its four escapes. */
const readByConsole = (line: string): string =>
  line.replace(/\\(n|\\|x([0-9a-f]{2})|u([0-9a-f]{4}))/gi, (_, form: string, x?: string, u?: string) => {
    if (form === "n") return "\n";
    if (form === "\\") return "\\";
    return String.fromCharCode(Number.parseInt(x ?? u ?? "", 16));
  });

/** What a text message keeps of a text. */
const kept = (text: string): string => text.replace(/\r\n|\r/g, "\n").replace(/[^\P{Cc}\n]/gu, " ");

test("every message becomes one line of printable ASCII that the console decodes to the original", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const line = consoleText(text);
      expect(line).toMatch(/^[\x20-\x7e]*$/);
      expect(readByConsole(line)).toBe(kept(text));
    }),
  );
});

test("no device list crashes the parsers or yields an invalid id", () => {
  const line = fc.constantFrom(
    "emulator-5554\tdevice",
    "emulator-1 offline",
    "List of devices attached",
    "-s\tdevice",
    "",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string())), (lines) => {
      for (const { serial } of emulatorsIn(lines.join("\n"))) expect(serial).toMatch(/^emulator-\d+$/);
    }),
  );
  const device = fc.record({ udid: fc.string(), name: fc.string(), state: fc.constantFrom("Booted", "Shutdown") });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom("iOS 12.4", "tvOS 18"), fc.array(fc.oneof(device, fc.jsonValue()))),
      (devices) => {
        for (const { udid } of simulatorsIn(JSON.stringify({ devices })) ?? [])
          expect(udid).toMatch(/^[0-9A-F][0-9A-F-]*$/i);
      },
    ),
  );
  fc.assert(fc.property(fc.json(), (text) => void simulatorsIn(text)));
});
