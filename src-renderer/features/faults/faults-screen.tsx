import { Group, Paper, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { addFault } from "../../api/actions.ts";
import { faultList, isOn, statusQuery, useApps } from "../../api/queries.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block, CodeBlock } from "../../ui/code.tsx";
import { Cell, ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Empty } from "../../ui/screen.tsx";
import { usePreset, useTurningOff } from "./fault-actions.ts";
import { bodyText, faultCurl } from "./fault-draft.ts";
import { NewFault } from "./fault-form.tsx";
import { PRESETS, presetOf } from "./fault-presets.ts";
import { concerns, counterWords, effectWords, matchWords, timesWords } from "./fault-words.ts";

/** Whether a fault is active, and for how many more requests. */
const FaultState = ({ fault }: { readonly fault: Fault }) => (
  <StatusMark tone={isOn(fault) ? "warn" : "quiet"}>{counterWords(fault)[0]}</StatusMark>
);

interface FaultDetailProps {
  readonly fault: Fault;
  readonly onTurnOff: () => void;
  readonly onSetAgain: (fault: Fault) => void;
  readonly onClose: () => void;
}

const FaultDetail = ({ fault, onTurnOff, onSetAgain, onClose }: FaultDetailProps) => {
  const { match, effect, times, createdAt, id, userId } = fault;
  const { data: status } = useQuery(statusQuery());
  const { appName } = useApps();
  const words = effectWords(effect);
  return (
    <DetailPanel
      label={`Fault: ${words}`}
      title={words}
      sub={
        <>
          <FaultState fault={fault} />, {counterWords(fault)[1]}
        </>
      }
      onClose={onClose}
    >
      <Group>
        <TextButton
          variant={isOn(fault) ? "filled" : "default"}
          keys="#"
          onClick={onTurnOff}
          label={isOn(fault) ? "Turn off" : "Remove"}
        />
        {times !== null && userId === null && (
          <ActionButton
            label="Set again"
            act={() => addFault({ match, effect, times }).then(onSetAgain)}
            says={`Set again: ${words}`}
          />
        )}
      </Group>
      <DetailPart title="Fault">
        <Facts
          of={{
            Requests: <bdi>{matchWords(match, appName)}</bdi>,
            "Applies to": timesWords(times),
            Set: <RelativeTime instant={createdAt} appId={match.appId ?? null} />,
            Scenario: userId !== null && (
              <Link className="link" href={`/profiles/${userId}?app=${encodeURIComponent(match.appId ?? "")}`}>
                Belongs to the profile
              </Link>
            ),
            Body: effect.body !== undefined && <Block label="Body">{bodyText(effect.body)}</Block>,
            Id: <span className="mono">{id}</span>,
          }}
        />
        <p className="small">
          Affected responses carry this id in <span className="mono">Emulator-Fault</span>.
        </p>
      </DetailPart>
      {status && (
        <DetailPart title="From a terminal">
          <CodeBlock what="Command" text={faultCurl(status.urls.console, { match, effect, times })} />
        </DetailPart>
      )}
    </DetailPanel>
  );
};

const COLUMNS = ["minmax(0, 1.4fr) minmax(112px, 0.5fr) 76px 84px", "minmax(0, 1fr) 112px 84px"] as const;

const NoFaults = ({ children }: { readonly children: ReactNode }) => {
  const { data: status } = useQuery(statusQuery());
  const apply = usePreset();
  const example = presetOf("recover")?.fault;
  return (
    <Empty title="No faults are set">
      <p>A fault makes auth or admin fail on purpose, until it is used up, turned off, or Stagedoor stops.</p>
      {children}
      <SimpleGrid component="ul" minColWidth={240} spacing={8} aria-label="Presets" w="100%" ta="start">
        {PRESETS.map((preset) => (
          <li key={preset.id}>
            <Paper component="button" withBorder p={8} h="100%" w="100%" ta="start" onClick={() => apply(preset)}>
              <strong>{preset.title}</strong>
              <p className="small">{preset.words}</p>
            </Paper>
          </li>
        ))}
      </SimpleGrid>
      <p>From a terminal or a test: three requests fail, the fourth works.</p>
      {status && example && <CodeBlock what="Command" text={faultCurl(status.urls.console, example)} />}
    </Empty>
  );
};

interface FaultRowProps {
  readonly fault: Fault;
  readonly place: RowPlace;
  readonly onTurnOff: () => void;
}

const FaultRow = ({ fault, place, onTurnOff }: FaultRowProps) => {
  const { appName } = useApps();
  const verb = isOn(fault) ? "Turn off" : "Remove";
  return (
    <Row ended={!isOn(fault)}>
      <Cell
        sub={
          <bdi>
            {fault.userId === null ? "" : "Scenario: "}
            {matchWords(fault.match, appName)}
          </bdi>
        }
      >
        <RowLink {...place}>{effectWords(fault.effect)}</RowLink>
      </Cell>
      <Cell sub={counterWords(fault)[1]}>
        <FaultState fault={fault} />
      </Cell>
      <Cell wide end>
        <RelativeTime instant={fault.createdAt} appId={fault.match.appId ?? null} />
      </Cell>
      <TextButton
        px={8}
        tabIndex={place.focus.tabIndex}
        aria-label={`${verb}: ${effectWords(fault.effect)}`}
        onClick={onTurnOff}
        label={verb}
      />
    </Row>
  );
};

/** All faults, in order of precedence. */
export const FaultsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(faultList.query(null));
  const { appName } = useApps();
  const turnOff = useTurningOff();
  const apply = usePreset();
  const everywhere = list.data?.items ?? [];
  const all = everywhere.filter((fault) => concerns(fault, address.app));
  const elsewhere = everywhere.length - all.length;
  const sought = address.q.trim().toLowerCase();
  const shown = all.filter(({ effect, match }) =>
    `${effectWords(effect)}\n${matchWords(match, appName)}\n${match.to ?? ""}`.toLowerCase().includes(sought),
  );
  const creating = address.id === "new";
  const close = (): void => go({ id: null, show: null });
  const off = (faults: readonly Fault[]): void => {
    turnOff.run(faults, faults.length === everywhere.length);
    if (faults.some(({ id }) => id === address.id)) close();
  };
  const onSet = ({ id }: Fault): void => go({ id, show: null, q: "" }, { replace: true });
  return (
    <ListScreen
      title="Faults"
      noun="fault"
      list={list}
      columns={COLUMNS}
      all={all}
      items={shown}
      tools={
        <>
          <TextButton href={hrefWith({ id: "new", show: null })} keys="n" label="Custom fault" />
          {all.length > 0 && (
            <TextButton
              loading={turnOff.busy}
              onClick={() => off(all)}
              label={`Turn off${all.length > 1 ? ` all ${all.length}` : ""}`}
            />
          )}
        </>
      }
      note={`${all.filter(isOn).length} on, applied in this order${elsewhere > 0 ? `; ${elsewhere} for other apps` : ""}`}
      above={
        all.length > 0 && (
          <Group component="section" aria-label="Presets" className="band">
            {PRESETS.map((preset) => (
              <TextButton
                key={preset.id}
                size="xs"
                title={preset.words}
                onClick={() => apply(preset)}
                label={preset.title}
              />
            ))}
          </Group>
        )
      }
      empty={
        <NoFaults>
          {elsewhere > 0 && (
            <p>
              {elsewhere === 1 ? "1 fault is" : `${elsewhere} faults are`} set for other apps.{" "}
              <TextButton href={hrefWith({ app: null })} label="Show all apps" />
            </p>
          )}
        </NoFaults>
      }
      keys={(current) => ({
        n: () => go({ id: "new", show: null }),
        "#": () => (current === undefined || creating ? false : off([current])),
      })}
      closed={{ show: null }}
      creating={
        creating && (
          <NewFault
            key={address.show}
            preset={presetOf(address.show)}
            appId={address.app}
            onSet={onSet}
            onClose={close}
          />
        )
      }
      row={(fault, place) => <FaultRow fault={fault} place={place} onTurnOff={() => off([fault])} />}
      detail={(fault, onClose) => (
        <FaultDetail key={fault.id} fault={fault} onTurnOff={() => off([fault])} onSetAgain={onSet} onClose={onClose} />
      )}
    />
  );
};
