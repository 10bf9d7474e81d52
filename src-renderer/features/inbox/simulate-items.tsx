import { Menu } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { FaultInput, Passcode } from "#client/index.ts";
import { addFault, removeFault } from "../../api/actions.ts";
import { faultList, isOn } from "../../api/queries.ts";
import { useAction } from "../../ui/action.tsx";
import { announce } from "../../ui/announcer.tsx";
import { recipientText } from "../../ui/phone.ts";
import { PRESETS } from "../faults/fault-presets.ts";

/** The presets; one that is on for the same user or app says how often it still acts, and is turned off by a click. */
export const SimulateItems = ({ passcode, appName }: { readonly passcode: Passcode; readonly appName: string }) => {
  const { appId, to } = passcode;
  const [whose, setWhose] = useState("user");
  const faults = useQuery(faultList.query(null)).data?.items.filter(isOn) ?? [];
  const match = { listener: "auth", appId, ...(whose === "user" ? { to } : {}) } as const;
  const toggle = useAction(async (id: string | undefined, fault: FaultInput) => {
    if (id === undefined) await addFault({ ...fault, match: { ...fault.match, ...match } });
    else await removeFault(id);
    announce(id === undefined ? "Fault set" : "Fault turned off");
  });
  return (
    <>
      <Menu.RadioGroup value={whose} onChange={setWhose}>
        <Menu.RadioItem value="user" closeMenuOnClick={false}>
          For <bdi>{recipientText(to)}</bdi>
        </Menu.RadioItem>
        <Menu.RadioItem value="app" closeMenuOnClick={false}>
          For everyone in <bdi>{appName}</bdi>
        </Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
      {PRESETS.filter(({ oneUser }) => !oneUser || whose === "user").map(({ id, title, words, fault }) => {
        const on = faults.find(
          (one) =>
            one.match.appId === appId &&
            one.match.to === match.to &&
            JSON.stringify(one.effect) === JSON.stringify(fault.effect),
        );
        return (
          <Menu.Item
            key={id}
            title={words}
            rightSection={on && <span className="warn">{on.remaining === null ? "on" : `${on.remaining} left`}</span>}
            onClick={() => toggle.run(on?.id, fault)}
          >
            {title}
          </Menu.Item>
        );
      })}
    </>
  );
};
