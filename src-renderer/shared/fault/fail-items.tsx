import { Menu } from "@mantine/core";
import { useState } from "react";
import type { FaultInput, Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { sentence } from "#contract/words/words.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { useApps } from "../../api/queries.ts";
import { announce, useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { PRESETS } from "./fault-presets.ts";
import { addFault, removeFault } from "./set-fault.ts";

/** The presets. An active one for the same user or app shows how often it still applies, and a click turns it off. */
export const FailItems = ({ passcode }: { readonly passcode: Passcode }) => {
  const { appId, to } = passcode;
  const { appName } = useApps();
  const { go } = useAddress();
  const [whose, setWhose] = useState("user");
  const faults = useFaults().filter(isOn);
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
          For everyone in <bdi>{appName(appId)}</bdi>
        </Menu.RadioItem>
      </Menu.RadioGroup>
      <Menu.Divider />
      <div style={{ display: "grid", gridTemplateColumns: "1fr 1fr" }}>
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
              {sentence(title.replace("One user: ", ""))}
            </Menu.Item>
          );
        })}
      </div>
      <Menu.Divider />
      <Menu.Item onClick={() => go({ screen: "simulate", id: null, show: null, q: "" })}>More in Simulate</Menu.Item>
    </>
  );
};
