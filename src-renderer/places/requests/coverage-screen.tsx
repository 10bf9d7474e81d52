import { Box, Group, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { CoverageItem, Provoked } from "#client/records.ts";
import { coverageMarkdown, outcomeGroups } from "#features/failures/coverage/contract/words.ts";
import { emulator, ofApp } from "../../api/emulator.ts";
import { query, useApps } from "../../api/queries.ts";
import { ActionButton, textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { copyText } from "../../ui/code.tsx";
import { FilterChips, LinkLines, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { DetailPanel, DetailPart, Empty, Loaded, Page, Screen, Section } from "../../ui/screen.tsx";

/** Login coverage of an app, or of all. */
const coverageQuery = (appId: string | null) =>
  query(["coverage", appId], ({ coverage }) => coverage.get(ofApp(appId)));

/** Outcomes that are set up in an app and not cancelled. */
interface Armed {
  readonly appId: string | null;
  readonly of: ReadonlyMap<string, Provoked>;
}

interface ProvokeProps {
  readonly outcome: CoverageItem["outcome"];
  /** Whose login can be provoked; null: no app is chosen. */
  readonly appId: string | null;
  readonly armed: Armed["of"];
  readonly onArm: (armed: Armed["of"]) => void;
}

/** Sets up the next login of an app, or of one user, so that it turns out this way. */
const Provoke = ({ outcome, appId, armed, onArm }: ProvokeProps) => {
  const [to, setTo] = useState("");
  const provoked = armed.get(outcome);
  if (appId === null) return <DetailPart title="Provoke">Choose an app to provoke it.</DetailPart>;
  const whose = to.replaceAll(" ", "");
  const provoke = async () =>
    onArm(
      new Map([...armed, [outcome, await emulator.coverage.provoke(outcome, { appId, ...(whose && { to: whose }) })]]),
    );
  // The server cancels all that is set up in the app.
  const cancel = async () => {
    await emulator.coverage.unprovoke({ appId });
    onArm(new Map());
  };
  return (
    <>
      <TextInput
        mt={24}
        maw={360}
        label="Next login of"
        placeholder="Anyone, or a phone number or email"
        {...textField(to, setTo)}
      />
      <Group mt={16}>
        <ActionButton variant="filled" label="Provoke" act={provoke} />
        {provoked && <ActionButton label={armed.size > 1 ? "Cancel all" : "Cancel"} act={cancel} />}
      </Group>
      <p className="dim" role="status" style={{ minHeight: 36, marginTop: 16 }}>
        {provoked && (
          <>
            Armed. Now: <bdi>{provoked.then}</bdi>
          </>
        )}
      </p>
    </>
  );
};

interface OutcomeDetailProps extends Omit<ProvokeProps, "outcome"> {
  readonly item: CoverageItem;
  readonly onClose: () => void;
}

/** One outcome: when it was met last, what an app should do then, and how to cover it. */
const OutcomeDetail = ({ item, onClose, ...rest }: OutcomeDetailProps) => {
  const { outcome, title, screen, count, lastAt, lastRequestId } = item;
  const { hrefTo } = useAddress();
  const met =
    lastAt === null || lastRequestId === null ? (
      "Not met since Stagedoor started"
    ) : (
      <>
        {count} ×,{" "}
        <Link className="link" href={hrefTo("requests", { id: lastRequestId })}>
          last <RelativeTime instant={lastAt} />
        </Link>
      </>
    );
  return (
    <DetailPanel title={title} sub={met} onClose={onClose}>
      <DetailPart title="What your app should show">
        <p>{screen}</p>
      </DetailPart>
      <Provoke outcome={outcome} {...rest} />
    </DetailPanel>
  );
};

const OutcomeLine = ({ item: { outcome, title, count } }: { readonly item: CoverageItem }) => {
  const { address, hrefWith } = useAddress();
  return (
    <li data-outcome={outcome}>
      <Link href={hrefWith({ id: outcome })} aria-current={address.id === outcome ? "true" : undefined}>
        <StatusMark tone={count > 0 ? "ok" : "quiet"}>{title}</StatusMark>
        <span className="small">{count > 0 ? `${count} ×` : <span className="spoken">Not met</span>}</span>
      </Link>
    </li>
  );
};

/** Which login outcomes are covered; each says how to cover it. */
export const CoverageScreen = () => {
  const { address, go } = useAddress();
  const { apps } = useApps();
  const [armed, setArmed] = useState<Armed>();
  const all = useQuery(coverageQuery(address.app));
  const [only, ...others] = apps;
  const appId = address.app ?? (others.length === 0 ? (only?.appId ?? null) : null);
  const { items = [], met = 0, total = 0 } = all.data ?? {};
  const chosen = items.find(({ outcome }) => outcome === address.id);
  const copyMarkdown = () => copyText(all.data ? coverageMarkdown(all.data).join("\n") : "", "Coverage");
  const choices = [
    [null, "All"],
    ["missing", "Not met", total - met],
  ] as const;
  return (
    <Screen
      title="Outcomes"
      tools={
        <Group ms="auto" gap={14} wrap="nowrap">
          <FilterChips keepId label="Show" choices={choices} />
          <ActionsMenu label="More: copy" items={() => [{ label: "Copy as Markdown", act: copyMarkdown }]} />
        </Group>
      }
      detail={
        chosen && (
          <OutcomeDetail
            key={chosen.outcome}
            item={chosen}
            appId={appId}
            armed={armed?.appId === appId ? armed.of : new Map()}
            onArm={(of) => setArmed({ appId, of })}
            onClose={() => go({ id: null })}
          />
        )
      }
    >
      <Loaded of={all} what="Login coverage">
        {() => {
          const shown = address.show === "missing" ? items.filter(({ count }) => count === 0) : items;
          if (shown.length === 0) return <Empty title="All outcomes covered" />;
          return (
            <Page>
              <p className="dim">
                {met} of {total} outcomes covered since Stagedoor started
              </p>
              <Box style={{ columns: "260px", columnGap: 32 }}>
                {outcomeGroups(shown).map(([group, ofGroup]) => (
                  <Box key={group} mb={16} style={{ breakInside: "avoid" }}>
                    <Section title={group}>
                      <LinkLines label={group}>
                        {ofGroup.map((item) => (
                          <OutcomeLine key={item.outcome} item={item} />
                        ))}
                      </LinkLines>
                    </Section>
                  </Box>
                ))}
              </Box>
            </Page>
          );
        }}
      </Loaded>
    </Screen>
  );
};
