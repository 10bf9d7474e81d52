import { Box, Group, SimpleGrid, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { CoverageItem, Provoked } from "#client/records.ts";
import { coverageMarkdown, outcomeGroups } from "#features/failures/coverage/contract/words.ts";
import { emulator } from "../../api/emulator.ts";
import { useApps } from "../../api/queries.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CopyButton } from "../../ui/code.tsx";
import { FilterChips, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { Empty, Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { coverageQuery } from "./coverage-query.ts";

const FILTERS = [
  [null, "All"],
  ["missing", "Not met"],
] as const;

/** Apps to choose from on the screen itself; the header has all. */
const MOST_APPS = 6;

/** When it was met, with a link to the request that met it last. */
const Met = ({ count, lastAt, lastRequestId }: CoverageItem) => {
  const { hrefTo } = useAddress();
  if (lastAt === null || lastRequestId === null) return <span className="dim small">Not met</span>;
  return (
    <span className="small">
      {count} ×,{" "}
      <Link className="link" href={hrefTo("requests", { id: lastRequestId })}>
        <RelativeTime instant={lastAt} />
      </Link>
    </span>
  );
};

interface OutcomeProps {
  readonly item: CoverageItem;
  /** Whose login can be provoked; null: no app is chosen. */
  readonly appId: string | null;
  /** Whose; empty: any user's. */
  readonly to: string;
  /** What is set up in this app and not cancelled, by outcome. */
  readonly armed: ReadonlyMap<string, Provoked>;
  readonly onArm: (armed: ReadonlyMap<string, Provoked>) => void;
}

const Outcome = ({ item, appId, to, armed, onArm }: OutcomeProps) => {
  const { outcome, title, screen, count } = item;
  const provoked = armed.get(outcome);
  const app = appId === null ? {} : { appId };
  const provoke = async () =>
    onArm(new Map([...armed, [outcome, await emulator.coverage.provoke(outcome, { ...app, ...(to && { to }) })]]));
  // The server cancels all that is set up in the app.
  const cancel = async () => {
    await emulator.coverage.unprovoke(app);
    onArm(new Map());
  };
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap" data-outcome={outcome}>
      <Box miw={0}>
        <Group gap={8}>
          <StatusMark tone={count > 0 ? "ok" : "quiet"}>{title}</StatusMark>
          <Met {...item} />
        </Group>
        <p className="dim small">{screen}</p>
        {provoked && (
          <Group gap={8}>
            <p className="small" role="status">
              Armed. Now: <bdi>{provoked.then}</bdi>
            </p>
            <ActionButton label={armed.size > 1 ? "Cancel all" : "Cancel"} act={cancel} />
          </Group>
        )}
      </Box>
      <Box flex="none">
        <ActionButton label="Provoke" disabled={appId === null} act={provoke} />
      </Box>
    </Group>
  );
};

interface GroupsProps extends Omit<OutcomeProps, "item"> {
  readonly items: readonly CoverageItem[];
}

const Groups = ({ items, ...rest }: GroupsProps) =>
  outcomeGroups(items).map(([group, ofGroup]) => (
    <Section key={group} title={group}>
      <SimpleGrid component="ul" cols={{ base: 1, lg: 2 }} spacing={24} verticalSpacing={12}>
        {ofGroup.map((item) => (
          <Outcome key={item.outcome} item={item} {...rest} />
        ))}
      </SimpleGrid>
    </Section>
  ));

/** Which login outcomes are covered, and how to cover the rest. */
export const CoverageScreen = () => {
  const { address, hrefWith } = useAddress();
  const { apps } = useApps();
  const [to, setTo] = useState("");
  const [armed, setArmed] = useState<{ readonly appId: string | null; readonly of: OutcomeProps["armed"] }>();
  const all = useQuery(coverageQuery(address.app));
  const [only, ...others] = apps;
  const appId = address.app ?? (others.length === 0 ? (only?.appId ?? null) : null);
  return (
    <Screen
      wide
      title="Coverage"
      note={all.data && `${all.data.met} of ${all.data.total} outcomes covered`}
      tools={
        <>
          <FilterChips label="Which outcomes" choices={FILTERS} />
          {all.data && (
            <CopyButton what="Coverage" label="Copy as Markdown" text={coverageMarkdown(all.data).join("\n")} />
          )}
        </>
      }
    >
      <Page>
        <Box component="p" className="dim" maw={640}>
          The ways a login can turn out, and which of them your app has handled since Stagedoor started. If your app has
          never seen an outcome, no one has tested that screen. “Provoke” sets up the next login so that it turns out
          this way.{appId === null && " Choose an app to provoke an outcome."}
        </Box>
        {appId === null && (
          <Group mb={16}>
            {apps.slice(0, MOST_APPS).map(({ appId: of, name }) => (
              <Link key={of} className="link" href={hrefWith({ app: of })}>
                <bdi>{name}</bdi>
              </Link>
            ))}
          </Group>
        )}
        {appId !== null && (
          <TextInput
            label="Next login of"
            placeholder="Anyone, or a phone number or email"
            maw={360}
            value={to}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        )}
        <Loaded of={all} what="Login coverage">
          {({ items }) => {
            const shown = address.show === "missing" ? items.filter(({ count }) => count === 0) : items;
            if (shown.length === 0) return <Empty title="All outcomes covered" />;
            const isArmed = armed !== undefined && armed.appId === appId;
            return (
              <Groups
                items={shown}
                appId={appId}
                to={to.replaceAll(" ", "")}
                armed={isArmed ? armed.of : new Map()}
                onArm={(of) => setArmed({ appId, of })}
              />
            );
          }}
        </Loaded>
      </Page>
    </Screen>
  );
};
