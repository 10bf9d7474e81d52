import { Box, Group, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { counted } from "#contract/words/words.ts";
import { useApps } from "../../api/queries.ts";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block, CopyButton } from "../../ui/code.tsx";
import { download } from "../../ui/download.ts";
import { Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { exportQuery } from "./export.ts";
import { FixtureTools } from "./fixture-tools.tsx";
import { GeneratePart } from "./generate-part.tsx";
import { ImportPart } from "./import-part.tsx";
import { WorldTable } from "./import-plan.tsx";
import { SnapshotsPart } from "./snapshots-part.tsx";
import { fileName, SHOWN_LINES, sizeWords, worldWords } from "./world-words.ts";

const VOLATILE = "volatile";

const Export = () => {
  const { address, go } = useAddress();
  const withVolatile = address.show === VOLATILE;
  const name = fileName(address.app, withVolatile, new Date());
  const written = useQuery(exportQuery(address.app, withVolatile));
  return (
    <Loaded of={written} what="The export">
      {({ apps, file, lines, head }) => (
        <Page>
          <Section
            title="Export fixtures"
            words={
              <>
                Apps, profiles and connections as JSON. To load them, start with{" "}
                <code className="mono">--fixtures {name}</code> or use Import. The file contains the apps’ secrets, but
                not the key that signs tokens.
              </>
            }
          >
            <Group mb={8}>
              <TextButton variant="filled" onClick={() => download(name, file)} label="Download" />
              <CopyButton text={() => file.text()} what="JSON" label="Copy JSON" />
              <Switch
                label="Include passcodes, sessions and clocks"
                checked={withVolatile}
                onChange={(event) => go({ show: event.currentTarget.checked ? VOLATILE : null }, { replace: true })}
              />
            </Group>
            {apps.length > 0 && <WorldTable apps={apps} />}
            <Box component="p" my={16} role="status">
              {worldWords(apps)}; {sizeWords(file.size)} in <span className="mono">{name}</span>
            </Box>
            <Block label="JSON" most="max(240px, calc(100vh - 440px))">
              {head}
            </Block>
            {lines > SHOWN_LINES && (
              <p className="small">
                First {SHOWN_LINES} of {counted(lines)} lines. The file contains all of them.
              </p>
            )}
          </Section>
        </Page>
      )}
    </Loaded>
  );
};

/** The data as a whole: export, import and generate. */
export const DataScreen = () => {
  const { show, app } = useAddress().address;
  const { list, appName } = useApps();
  if (show === "snapshots") return <SnapshotsPart />;
  return (
    <Screen wide title="Data" tools={<FixtureTools />} note={<bdi>{app === null ? "All apps" : appName(app)}</bdi>}>
      <Loaded of={list}>
        {({ items }) => {
          if (show === "import") return <ImportPart apps={items} />;
          return show === "generate" ? <GeneratePart apps={items} /> : <Export />;
        }}
      </Loaded>
    </Screen>
  );
};
