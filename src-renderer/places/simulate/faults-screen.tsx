import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { finds } from "#contract/words/fold.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { useApps } from "../../api/queries.ts";
import { inputOf, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { presetOf } from "../../shared/fault/fault-presets.ts";
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
import { ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { Choices, OnlyChoices } from "./choices.tsx";
import { FaultCommand } from "./fault-command.tsx";
import { NewFault } from "./fault-form.tsx";
import { OnStrip } from "./on-strip.tsx";

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
              <Link className="link" href={`/users/${userId}?app=${encodeURIComponent(match.appId ?? "")}`}>
                Belongs to the profile
              </Link>
            ),
            Response: (effect.headers ?? effect.body) !== undefined && (
              <Block label="Response">{JSON.stringify(effect, null, 2)}</Block>
            ),
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
  rowHeight: 36,
  columns: ["minmax(0, 1.2fr) minmax(0, 1fr) 84px 96px", "minmax(0, 1fr) 84px"],
} as const;

const FaultRow = ({ fault, place, onTurnOff }: FaultProps & { readonly place: RowPlace }) => {
  const { appName } = useApps();
  const { match, effect, userId, weather, times } = fault;
  const whose = weather !== undefined ? `Weather ${weather.name}: ` : userId === null ? "" : "Scenario: ";
  const words = effectWords(effect);
  return (
    <Row
      one
      ended={!isOn(fault)}
      actions={
        <RowActions
          first={[{ label: verbOf(fault), name: `${verbOf(fault)}: ${words}`, act: onTurnOff }]}
          menu={`More for ${words}`}
          more={() => [
            {
              label: "Set again",
              name: `Set again: ${words}`,
              act: () => addFault(inputOf(fault)),
              disabled: times === null || userId !== null,
            },
          ]}
          tabIndex={place.focus.tabIndex}
        />
      }
    >
      <span className="cut">
        <RowLink {...place}>{words + shareWords(fault)}</RowLink>
      </span>
      <bdi className="cut small" data-wide>
        {whose + matchWords(match, appName)}
      </bdi>
      <FaultState fault={fault} />
      <span className="small" data-wide>
        {counterWords(fault)[1]}
      </span>
    </Row>
  );
};

/** What is on, in order of precedence, and what can be turned on. */
export const FaultsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(faultList.query(null));
  const { appName } = useApps();
  const turnOff = useTurningOff();
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
      tools={<TextButton href={hrefWith({ id: "new", show: null })} keys="n" label="Custom fault" />}
      above={<OnStrip faults={all} elsewhere={elsewhere} onTurnOff={() => off(all)} />}
      empty={<OnlyChoices />}
      foot={<Choices />}
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
