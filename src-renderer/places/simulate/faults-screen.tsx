import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Fault } from "#client/index.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { useApps } from "../../api/queries.ts";
import { inputOf, useTurningOff } from "../../shared/fault/fault-actions.ts";
import { presetOf } from "../../shared/fault/fault-presets.ts";
import { concerns, counterWords, effectWords, matchWords, oftenWords } from "../../shared/fault/fault-words.ts";
import { addFault } from "../../shared/fault/set-fault.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { Gone } from "../../ui/list-screen.tsx";
import { Facts, RelativeTime, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Loaded, Screen } from "../../ui/screen.tsx";
import { Choices } from "./choices.tsx";
import { FaultCommand, NewFault } from "./fault-form.tsx";
import { OnStrip } from "./on-strip.tsx";

interface FaultDetailProps {
  readonly fault: Fault;
  readonly onTurnOff: () => void;
  readonly onSetAgain: (fault: Fault) => void;
  readonly onClose: () => void;
}

const FaultDetail = ({ fault, onTurnOff, onSetAgain, onClose }: FaultDetailProps) => {
  const { match, effect, times, seed, createdAt, id, userId } = fault;
  const { appName } = useApps();
  const words = effectWords(effect);
  const [left, used] = counterWords(fault);
  const state = (
    <>
      <StatusMark tone={isOn(fault) ? "warn" : "quiet"}>{left}</StatusMark>, {used}
    </>
  );
  return (
    <DetailPanel label={`Fault: ${words}`} title={words} sub={state} onClose={onClose}>
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
      <FaultCommand fault={inputOf(fault)} />
    </DetailPanel>
  );
};

/** What is on, and what can be turned on. */
export const FaultsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const { id, show, app } = address;
  const list = useQuery(faultList.query(null));
  const turnOff = useTurningOff();
  const everywhere = list.data?.items ?? [];
  const all = everywhere.filter((fault) => concerns(fault, app));
  const chosen = everywhere.find((fault) => fault.id === id);
  const close = (): void => go({ id: null, show: null });
  const off = (faults: readonly Fault[]): void => {
    turnOff.run(faults, faults.length === everywhere.length);
    if (faults.some((fault) => fault === chosen)) close();
  };
  const onSet = (fault: Fault): void => go({ id: fault.id, show: null }, { replace: true });
  useKeys({
    n: () => go({ id: "new", show: null }),
    "#": () => (chosen === undefined ? false : off([chosen])),
  });
  const detail =
    id === "new" ? (
      <NewFault key={show} preset={presetOf(show)} onSet={onSet} onClose={close} />
    ) : chosen === undefined ? (
      id !== null && list.data !== undefined && <Gone noun="fault" onClose={close} />
    ) : (
      <FaultDetail key={id} fault={chosen} onTurnOff={() => off([chosen])} onSetAgain={onSet} onClose={close} />
    );
  return (
    <Screen
      title="Simulate"
      tools={<TextButton href={hrefWith({ id: "new", show: null })} keys="n" label="Custom fault" />}
      detail={detail}
    >
      <Loaded of={list}>
        {() => (
          <>
            <OnStrip faults={all} elsewhere={everywhere.length - all.length} onTurnOff={off} />
            <Choices />
          </>
        )}
      </Loaded>
    </Screen>
  );
};
