import type { DeviceItem } from "#contract/devices.ts";
import { DetailPart } from "../../ui/detail-panel.tsx";
import classes from "./device-lines.module.css";
import { deviceWords } from "./device-words.ts";

/** The emulators and simulators that a passcode went to, a line each; nothing where the app has not opted in. */
export const DeviceLines = ({ devices }: { readonly devices: readonly DeviceItem[] }) =>
  devices.length === 0 ? null : (
    <DetailPart title="Devices">
      <ul className={classes.devices}>
        {devices.map((device) => (
          <li key={`${device.kind} ${device.id}`} data-status={device.status}>
            <bdi>{deviceWords(device)}</bdi>
          </li>
        ))}
      </ul>
    </DetailPart>
  );
