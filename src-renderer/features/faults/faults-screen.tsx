import { Button, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type Fault, faultsQuery, isOn } from "../../api/faults.ts";
import { appsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { ListContent } from "../../ui/list-content.tsx";
import { Screen } from "../../ui/screen.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { EmptyFaults } from "./empty-faults.tsx";
import { FaultDetail } from "./fault-detail.tsx";
import { presetOf } from "./fault-presets.ts";
import { FaultRow } from "./fault-row.tsx";
import { concerns, effectWords, matchWords } from "./fault-words.ts";
import { NewFault } from "./new-fault.tsx";
import { TurnedOffStrip } from "./turned-off-strip.tsx";
import { useTurningOff } from "./turning-off.ts";

/** What admin and auth do wrong on purpose, in the order in which requests meet it. */
export const FaultsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(faultsQuery());
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const { turnOff } = useTurningOff();
  const nameOf = (appId: string): string => apps.find((app) => app.appId === appId)?.name ?? appId;

  const everywhere = list.data?.items ?? [];
  const all = everywhere.filter((fault) => concerns(fault, address.app));
  const elsewhere = everywhere.length - all.length;
  const sought = address.q.trim().toLowerCase();
  const shown = all.filter(({ effect, match }) =>
    `${effectWords(effect)}\n${matchWords(match, nameOf)}\n${match.to ?? ""}`.toLowerCase().includes(sought),
  );
  const on = all.filter(isOn).length;
  const creating = address.id === "new";
  const selected = all.find(({ id }) => id === address.id);
  const { current, currentId, setCurrentId } = useCurrentRow(shown, selected);
  const close = (): void => {
    if (selected !== undefined) setCurrentId(selected.id);
    go({ id: null, show: null });
  };
  const off = (faults: readonly Fault[]): void => {
    if (turnOff.isPending || faults.length === 0) return;
    turnOff.mutate({ faults, all: faults.length === everywhere.length });
    if (faults.some(({ id }) => id === address.id)) close();
  };
  useKeys({
    n: () => go({ id: "new", show: null }),
    "#": () => (current === undefined || creating ? false : off([current])),
  });

  const others = elsewhere > 0 && (
    <p>
      {elsewhere === 1 ? "1 fault is" : `${elsewhere} faults are`} set for other apps.{" "}
      <Button component={Link} href={hrefWith({ app: null })}>
        Show all apps
      </Button>
    </p>
  );

  const detail = (): ReactNode => {
    const onSet = ({ id }: Fault): void => go({ id, show: null, q: "" }, { replace: true });
    if (creating)
      return (
        <NewFault
          preset={presetOf(address.show)}
          appId={address.app}
          apps={apps}
          nameOf={nameOf}
          onSet={onSet}
          onClose={close}
        />
      );
    if (selected === undefined) return undefined;
    return (
      <FaultDetail
        key={selected.id}
        fault={selected}
        nameOf={nameOf}
        onTurnOff={() => off([selected])}
        onSetAgain={onSet}
        onClose={close}
      />
    );
  };

  return (
    <Screen
      title="Faults"
      tools={
        all.length > 0 && (
          <>
            <Button component={Link} href={hrefWith({ id: "new", show: null })} rightSection={<Kbd>n</Kbd>}>
              Set a fault
            </Button>
            <Button loading={turnOff.isPending} onClick={() => off(all)}>
              Turn off all {all.length}
            </Button>
          </>
        )
      }
      note={
        all.length > 0 && `${on} on, in the order they are met${elsewhere > 0 ? `; ${elsewhere} for other apps` : ""}`
      }
      detail={detail()}
    >
      <TurnedOffStrip />
      <ListContent
        label="Faults"
        list={list}
        all={all}
        shown={shown}
        empty={<EmptyFaults creating={creating}>{others}</EmptyFaults>}
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={(fault, focus) => (
          <FaultRow
            fault={fault}
            nameOf={nameOf}
            focus={focus}
            href={hrefWith({ id: fault.id, show: null })}
            selected={fault.id === address.id}
            onTurnOff={() => off([fault])}
          />
        )}
      />
    </Screen>
  );
};
