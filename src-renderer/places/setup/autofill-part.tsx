/** Autofill on Android: the hash of a build that is chosen or dropped; the browser reads it. */
import { Button, FileButton, Group } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useState } from "react";
import type { App } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Build } from "#features/devices/build/build.ts";
import { updateApp } from "../../api/actions.ts";
import { complain } from "../../ui/action.tsx";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";

const BUILDS = [".apk", ".aab", ".apks"];

const readFile = async (file: File): Promise<Build> => {
  if (!isSecureContext) throw new Error("On this address the browser reads no APK. Run `stagedoor autofill APP.apk`.");
  const { readBuild } = await import("#features/devices/build/build.ts");
  const read = async (at: number, length: number) => new Uint8Array(await file.slice(at, at + length).arrayBuffer());
  const build = await readBuild({ size: file.size, read });
  if ("error" in build) throw new Error(`${file.name}: ${build.error}.`);
  return build;
};

/** Reads a build of the app, and sets its hash. */
export const AutofillPart = ({ app }: { readonly app: App }) => {
  const [build, setBuild] = useState<Build | null>(null);
  const { message } = effectiveSettings(app.settings);
  const take = (file: File | null | undefined): void => {
    if (file) readFile(file).then(setBuild, complain);
  };
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (!BUILDS.some((kind) => file?.name.toLowerCase().endsWith(kind))) return;
    event.preventDefault();
    take(file);
  };
  // Before what takes files that are dropped anywhere.
  useWindowEvent("drop", drop, { capture: true });
  const set = ({ hash: androidHash, package: androidPackage }: Build): void =>
    void updateApp(app.appId, { settings: { message: { androidHash, androidPackage } } }).catch(complain);
  const { hash, package: name } = build ?? { hash: message.androidHash, package: message.androidPackage };
  const more = [...(build?.others ?? []), ...(build?.older ?? [])].map((one) => one.hash).join(", ");
  return (
    <Section title="Autofill on Android">
      <p className="dim">
        Android fills in a code if the message ends with the hash of the build that is installed. Drop its APK here.
        {build?.kind === "aab" && " This is an AAB: Play signs what it delivers with another key than the upload key."}
      </p>
      {name && <p>{name}</p>}
      {build && (
        <p className="small mono" style={{ overflowWrap: "anywhere" }}>
          SHA-256 {build.sha256}
        </p>
      )}
      {hash && <CodeBlock what="Hash" text={hash} />}
      {more !== "" && <p className="small">Other signers and older keys: {more}</p>}
      <Group gap={8} mt={8}>
        <FileButton accept={BUILDS.join(",")} onChange={take}>
          {(props) => <Button {...props}>Choose APK…</Button>}
        </FileButton>
        {build && build.hash !== message.androidHash && <Button onClick={() => set(build)}>Use for {app.name}</Button>}
      </Group>
    </Section>
  );
};
