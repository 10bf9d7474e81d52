import { Button, Group, Kbd } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Fault } from "#client/index.ts";
import { addFault } from "../../api/actions.ts";
import { useApps } from "../../api/profile.ts";
import { isOn, statusQuery } from "../../api/queries.ts";
import { ActionButton } from "../../ui/action.tsx";
import { Block, CodeBlock } from "../../ui/code-block.tsx";
import { DetailPanel, DetailPart, PanelHead } from "../../ui/detail-panel.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { StatusMark } from "../../ui/status-mark.tsx";
import { faultCurl } from "./fault-draft.ts";
import { counterWords, effectWords, matchWords, timesWords } from "./fault-words.ts";

/** Whether a fault is on, and for how many more requests. */
export const FaultState = ({ fault }: { readonly fault: Fault }) => (
  <StatusMark tone={isOn(fault) ? "warn" : "quiet"}>{counterWords(fault)[0]}</StatusMark>
);

interface FaultDetailProps {
  readonly fault: Fault;
  readonly onTurnOff: () => void;
  readonly onSetAgain: (fault: Fault) => void;
  readonly onClose: () => void;
}

/** One fault: what it does, how often it did, and how to set the same from a test. */
export const FaultDetail = ({ fault, onTurnOff, onSetAgain, onClose }: FaultDetailProps) => {
  const { match, effect, times, createdAt, id } = fault;
  const { data: status } = useQuery(statusQuery());
  const { appName } = useApps();
  const words = effectWords(effect);
  return (
    <DetailPanel label={`Fault: ${words}`} onClose={onClose}>
      <PanelHead
        title={words}
        sub={
          <>
            <FaultState fault={fault} />, {counterWords(fault)[1]}
          </>
        }
      />
      <Group>
        <Button variant={isOn(fault) ? "filled" : "default"} rightSection={<Kbd>#</Kbd>} onClick={onTurnOff}>
          {isOn(fault) ? "Turn off" : "Remove"}
        </Button>
        {times !== null && (
          <ActionButton
            label="Set again"
            act={() => addFault({ match, effect, times }).then(onSetAgain)}
            says={`Set again: ${words}`}
          />
        )}
      </Group>
      <DetailPart title="Fault">
        <Facts>
          <Fact name="Requests">
            <bdi>{matchWords(match, appName)}</bdi>
          </Fact>
          <Fact name="Applies to">{timesWords(times)}</Fact>
          <Fact name="Set">
            <RelativeTime instant={createdAt} appId={match.appId ?? null} />
          </Fact>
          {effect.body !== undefined && (
            <Fact name="Body">
              <Block label="Body">
                {typeof effect.body === "string" ? effect.body : JSON.stringify(effect.body, null, 2)}
              </Block>
            </Fact>
          )}
          <Fact name="Id">
            <span className="mono">{id}</span>
          </Fact>
        </Facts>
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
