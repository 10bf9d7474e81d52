import { useQuery } from "@tanstack/react-query";
import { MOST_APPS } from "../../api/clock.ts";
import { appsQuery } from "../../api/queries.ts";
import { UndoStrip } from "../../ui/undo-strip.tsx";
import { useClockChange } from "./clock-change.ts";
import { kindOf, stateWords } from "./clock-state.ts";

/** The last change of a clock, of whichever app: puts it back as it was. */
export const ClockStrip = () => {
  const { lastChange, undo, forget } = useClockChange();
  const apps = useQuery(appsQuery()).data?.items ?? [];
  if (lastChange === null) return null;
  const { appId, before, own, done } = lastChange;
  const whose = appId === null ? "all apps" : (apps.find((app) => app.appId === appId)?.name ?? appId);
  const words = stateWords(before);
  return (
    <UndoStrip
      label="Last change of a clock"
      done={
        <>
          The clock of <bdi>{whose}</bdi> {done}.
        </>
      }
      pending={undo.isPending}
      onUndo={() => undo.mutate(lastChange)}
      onDismiss={forget}
    >
      Before: {kindOf(before) === "real" ? "real time" : words.charAt(0).toLowerCase() + words.slice(1)}.
      {own.length > 0 && " The clocks that apps had of their own are put back too."}
      {appId === null &&
        apps.length > MOST_APPS &&
        ` Of apps’ own clocks, those of the first ${MOST_APPS} are looked at.`}
    </UndoStrip>
  );
};
