/** Defines `stagedoor autofill`. */
import { type FeatureCommands, JSON_LINE, STATUSES } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Devices and backends:",
  define: ({ client, action }) => {
    client(
      "autofill",
      "print the hash by which Android fills in codes for a build of your app",
      "autofill app-debug.apk",
      "autofill app-debug.apk --app demo-app",
      "autofill --package com.example.app",
    )
      .argument("[FILE]", "an APK, an AAB, or an archive of split APKs")
      .option("--package <NAME>", "instead of a file: what is installed on the Android devices that adb lists")
      .option("--app <ID>", "set message.androidHash and message.androidPackage of this app")
      .option(...JSON_LINE)
      .addHelpText("after", STATUSES)
      .action(action(async () => (await import("./command.ts")).autofill));
  },
};
