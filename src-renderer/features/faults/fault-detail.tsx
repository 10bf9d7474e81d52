import { Button, Kbd } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { addFault, type Fault, isOn } from "../../api/faults.ts";
import { statusQuery } from "../../api/queries.ts";
import { announce } from "../../ui/announcer.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { complain } from "../../ui/complain.ts";
import { DetailPanel, DetailPart, Facts } from "../../ui/detail-panel.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { faultCurl } from "./fault-curl.ts";
import { FaultState } from "./fault-row.tsx";
import { counterWords, effectWords, matchWords, timesWords } from "./fault-words.ts";
import classes from "./faults.module.css";

interface FaultDetailProps {
  readonly fault: Fault;
  readonly nameOf: (appId: string) => string;
  readonly onTurnOff: () => void;
  readonly onSetAgain: (fault: Fault) => void;
  readonly onClose: () => void;
}

/** One fault: what it does, how often it did, and how to set the same from a test. */
export const FaultDetail = ({ fault, nameOf, onTurnOff, onSetAgain, onClose }: FaultDetailProps) => {
  const { match, effect, times, createdAt, id } = fault;
  const { data: status } = useQuery(statusQuery());
  const again = useMutation({
    mutationFn: () => addFault({ match, effect, times }),
    onSuccess: (made) => {
      announce(`Set again: ${effectWords(effect)}`);
      onSetAgain(made);
    },
    onError: complain,
  });
  return (
    <DetailPanel label={`Fault: ${effectWords(effect)}`} onClose={onClose}>
      <h2 className={classes.name}>{effectWords(effect)}</h2>
      <p className={classes.quiet}>
        <FaultState fault={fault} />, {counterWords(fault)}
      </p>
      <div className={classes.buttons}>
        <Button
          variant={isOn(fault) ? "filled" : "default"}
          rightSection={<Kbd className={classes.key ?? ""}>#</Kbd>}
          onClick={onTurnOff}
        >
          {isOn(fault) ? "Turn off" : "Remove"}
        </Button>
        {times !== null && (
          <Button loading={again.isPending} onClick={() => again.mutate()}>
            Set the same again
          </Button>
        )}
      </div>
      <DetailPart title="Fault">
        <Facts
          facts={[
            ["Requests", <bdi key="match">{matchWords(match, nameOf)}</bdi>],
            ["How often", timesWords(times)],
            ["Set", <RelativeTime key="set" instant={createdAt} appId={match.appId ?? null} />],
            ...(effect.body === undefined
              ? []
              : [
                  [
                    "Body",
                    <bdi key="body" className={`mono ${classes.body}`}>
                      {typeof effect.body === "string" ? effect.body : JSON.stringify(effect.body, null, 2)}
                    </bdi>,
                  ] as const,
                ]),
            [
              "Id",
              <span key="id" className="mono">
                {id}
              </span>,
            ],
          ]}
        />
        <p className={classes.hint}>
          Answers that met it carry the id in <span className="mono">Emulator-Fault</span>.
        </p>
      </DetailPart>
      {status && (
        <DetailPart title="The same from a terminal">
          <CodeBlock what="Command" text={faultCurl(status.urls.console, { match, effect, times })} />
        </DetailPart>
      )}
    </DetailPanel>
  );
};
