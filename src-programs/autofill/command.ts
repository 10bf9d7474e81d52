/** `stagedoor autofill`: the hash that SMS Retriever needs for a build, from a file or from a device. */
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { PACKAGE_NAME } from "#features/devices/build/android-manifest.ts";
import { type Build, readBuild } from "#features/devices/build/build.ts";
import { installedBuild, readyDevices } from "#features/devices/delivery/installed.ts";
import { createPrograms } from "#features/devices/delivery/programs.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { partsOfUserFile } from "#server/user-file.ts";

/** @see autofill */
export interface AutofillOptions extends ClientOptions {
  readonly package?: string;
}

const FROM_PLAY = "stagedoor autofill --package, with the app installed from Play.";
const ADB_MS = 10_000;

const inFile = async (file: string): Promise<Build> => {
  const build = await partsOfUserFile(file, readBuild);
  if ("error" in build) throw new CommandError(`${printable(file)}: ${build.error}.`);
  return build;
};

const onDevices = async (name: string): Promise<Build> => {
  if (!PACKAGE_NAME.test(name))
    throw wrongUsage(`--package must be a name such as com.example.app, not "${printable(name)}".`);
  const { run } = createPrograms({ timeoutMs: ADB_MS });
  const devices = await readyDevices(run);
  if ("error" in devices) throw new CommandError(`${devices.error}.`);
  const found = await Promise.all(devices.map((device) => installedBuild(device, name, run)));
  const said = found.map((one, i) => `${devices[i]}: ${"error" in one ? one.error : one.hash}`).join(", ");
  const builds = found.flatMap((one) => ("error" in one ? [] : one));
  const [build] = builds;
  if (build === undefined) throw new CommandError(printable(`${said}.`));
  if (builds.some(({ hash }) => hash !== build.hash))
    throw new CommandError(`The devices have builds with different keys (${said}). Stop all but one.`);
  return build;
};

const linesOf = ({ package: name, sha256, scheme, hash, others, older, kind }: Build): string[] => [
  `Package      ${name}`,
  `Certificate  SHA-256 ${sha256} (signature ${scheme})`,
  `Hash         ${hash}`,
  ...others.map((one) => `Also signed  ${one.hash}  SHA-256 ${one.sha256}`),
  ...older.map((one) => `Rotated      ${one.hash}  SHA-256 ${one.sha256}`),
  ...(kind === "aab" ? [`Upload key   Play signs what it delivers with another key. For its hash: ${FROM_PLAY}`] : []),
];

/** Sets the hash for an app. @returns what to say. */
const setFor = (options: AutofillOptions, appId: string, { hash, package: androidPackage }: Build) =>
  withEmulator(options, async ({ apps }) => {
    const message = { androidHash: hash, androidPackage };
    const { settings } = await apps.update(appId, { settings: { message } });
    const isUsed = effectiveSettings(settings).message.sms.includes("{androidHash}");
    const then = isUsed
      ? "Its messages end with the hash."
      : "Its message.sms has no {androidHash}: add it as the last line.";
    return `Set message.androidHash and message.androidPackage of ${appId}. ${then}`;
  });

/**
 * Prints the hash of a build, from a file or from a device, and sets it for an app.
 * @returns 0. @throws CommandError if the file is no app, no device has it, or the app cannot be changed.
 */
export const autofill = async (io: Io, file: string | undefined, options: AutofillOptions): Promise<number> => {
  const { package: name, app, json } = options;
  if ((file === undefined) === (name === undefined)) throw wrongUsage("Give an APK or AAB, or --package.");
  const build = file === undefined ? await onDevices(name ?? "") : await inFile(file);
  const set = app === undefined ? undefined : await setFor(options, app, build);
  const paste = ["", "The last line of the message, to paste:", "", build.hash];
  return print(io, json, build, [...linesOf(build), ...(set === undefined ? paste : ["", set])]);
};
