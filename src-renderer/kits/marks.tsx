import { ClockMark } from "./clock/clock-mark.tsx";
import { LanMark } from "./devices/lan-mark.tsx";
import { FaultsMark } from "./faults/faults-mark.tsx";
import { WeatherMark } from "./weather/weather-mark.tsx";

/** What kits say in the status line: one line for each. In the first view. */
// biome-ignore format: one line a kit
export const StatusMarks = () => (
  <>
    <LanMark />
    <ClockMark />
    <WeatherMark />
    <FaultsMark />
  </>
);
