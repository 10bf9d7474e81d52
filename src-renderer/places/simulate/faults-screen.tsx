import { Group, Paper, SimpleGrid } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { finds } from "#contract/words/fold.ts";
import { many } from "#contract/words/words.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { useApps } from "../../api/queries.ts";
import { inputOf, usePreset, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { PRESETS, presetOf } from "../../shared/fault/fault-presets.ts";
import {
  concerns,
  counterWords,
  effectWords,
  matchWords,
  oftenWords,
  shareWords,
} from "../../shared/fault/fault-words.ts";
import { addFault } from "../../shared/fault/set-fault.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block } from "../../ui/code.tsx";
import { Cell, ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Empty } from "../../ui/screen.tsx";
import { bodyText, headersText } from "./effect-fields.ts";
import { FaultCommand } from "./fault-command.tsx";
import { NewFault } from "./fault-form.tsx";
import { WeatherButtons } from "./weather-dialog.tsx";

const verbOf = (fault: Fault): string => (isOn(fault) ? "Turn off" : "Remove");

const FaultState = ({ fault }: { readonly fault: Fault }) => (
  <StatusMark tone={isOn(fault) ? "warn" : "quiet"}>{counterWords(fault)[0]}</StatusMark>
);

interface FaultProps {
  readonly fault: Fault;
  readonly onTurnOff: () => void;
}

interface FaultDetailProps extends FaultProps {
  readonly onSetAgain: (fault: Fault) => void;
  readonly onClose: () => void;
}

const FaultDetail = ({ fault, onTurnOff, onSetAgain, onClose }: FaultDetailProps) => {
  const { match, effect, times, seed, createdAt, id, userId } = fault;
  const { appName } = useApps();
  const words = effectWords(effect);
  const state = (
    <>
      <FaultState fault={fault} />, {counterWords(fault)[1]}
    </>
  );
  return (
    <DetailPanel label={`Fault: ${words}`} title={words} sub={state} onClose={onClose}>
      <Group>
        <TextButton variant={isOn(fault) ? "filled" : "default"} keys="#" onClick={onTurnOff} label={verbOf(fault)} />
        {times !== null && userId === null && (
          <ActionButton
            label="Set again"
            act={() => addFault(inputOf(fault)).then(onSetAgain)}
            says={`Set again: ${words}`}
          />
        )}
      </Group>
      <DetailPart title="Fault">
        <Facts
          of={{
            Requests: <bdi>{matchWords(match, appName)}</bdi>,
            "Applies to": oftenWords(fault),
            Seed: seed !== undefined && <span className="mono">{seed}</span>,
            Weather: fault.weather?.name,
            Set: <RelativeTime instant={createdAt} appId={match.appId ?? null} />,
            Scenario: userId !== null && (
              <Link className="link" href={`/profiles/${userId}?app=${encodeURIComponent(match.appId ?? "")}`}>
                Belongs to the profile
              </Link>
            ),
            Headers: effect.headers !== undefined && <Block label="Headers">{headersText(effect)}</Block>,
            Body: effect.body !== undefined && <Block label="Body">{bodyText(effect.body)}</Block>,
            Id: <span className="mono">{id}</span>,
          }}
        />
        <p className="small">
          Affected responses carry this id in <span className="mono">Emulator-Fault</span>.
        </p>
      </DetailPart>
      <DetailPart title="From a terminal">
        <FaultCommand fault={inputOf(fault)} />
      </DetailPart>
    </DetailPanel>
  );
};

const LIST = {
  noun: "fault",
  columns: ["minmax(0, 1.4fr) minmax(112px, 0.5fr) 76px 84px", "minmax(0, 1fr) 112px 84px"],
} as const;

const NoFaults = ({ children }: { readonly children: ReactNode }) => {
  const apply = usePreset();
  const example = presetOf("recover")?.fault;
  return (
    <Empty title="No faults are set">
      <p>
        A fault makes requests to auth or admin fail on purpose, until it is used up, you turn it off, or Stagedoor
        stops.
      </p>
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
      <Group>
        <WeatherButtons />
      </Group>
      <p>From a terminal or a test: three requests fail, the fourth works.</p>
      {example && <FaultCommand fault={example} />}
    </Empty>
  );
};

const FaultRow = ({ fault, place, onTurnOff }: FaultProps & { readonly place: RowPlace }) => {
  const { appName } = useApps();
  const { match, effect, userId, weather, createdAt } = fault;
  const whose = weather !== undefined ? `Weather ${weather.name}: ` : userId === null ? "" : "Scenario: ";
  return (
    <Row ended={!isOn(fault)}>
      <Cell sub={<bdi>{whose + matchWords(match, appName)}</bdi>}>
        <RowLink {...place}>{effectWords(effect) + shareWords(fault)}</RowLink>
      </Cell>
      <Cell sub={counterWords(fault)[1]}>
        <FaultState fault={fault} />
      </Cell>
      <Cell wide end>
        <RelativeTime instant={createdAt} appId={match.appId ?? null} />
      </Cell>
      <TextButton
        px={8}
        tabIndex={place.focus.tabIndex}
        aria-label={`${verbOf(fault)}: ${effectWords(effect)}`}
        onClick={onTurnOff}
        label={verbOf(fault)}
      />
    </Row>
  );
};

const onWords = (count: number): string => {
  const faults = `${many(count, "fault")} on`;
  return count > 1 ? `${faults}, applied in this order` : faults;
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
  const isFound = finds(address.q.trim());
  const creating = address.id === "new";
  const close = (): void => go({ id: null, show: null });
  const off = (faults: readonly Fault[]): void => {
    turnOff.run(faults, faults.length === everywhere.length);
    if (faults.some(({ id }) => id === address.id)) close();
  };
  const onSet = ({ id }: Fault): void => go({ id, show: null, q: "" }, { replace: true });
  return (
    <ListScreen
      {...LIST}
      wide
      list={list}
      all={all}
      fits={({ effect, match }) => isFound(`${effectWords(effect)}\n${matchWords(match, appName)}\n${match.to ?? ""}`)}
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
      note={`${onWords(all.filter(isOn).length)}${elsewhere > 0 ? `; ${elsewhere} for other apps` : ""}`}
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
            <WeatherButtons />
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
        creating && <NewFault key={address.show} preset={presetOf(address.show)} onSet={onSet} onClose={close} />
      }
      row={(fault, place) => <FaultRow fault={fault} place={place} onTurnOff={() => off([fault])} />}
      detail={(fault, onClose) => (
        <FaultDetail key={fault.id} fault={fault} onTurnOff={() => off([fault])} onSetAgain={onSet} onClose={onClose} />
      )}
    />
  );
};
