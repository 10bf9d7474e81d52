import { Button, FileButton, Group } from "@mantine/core";
import {
  afterWords,
  type ExploredRun,
  exploredMarkdown,
  exploredSummary,
  isFailure,
  KIND_WORDS,
} from "#contract/documents/explorations.ts";
import { sentence } from "#contract/words/words.ts";
import { LoginFilm } from "../../shared/login/login-film.tsx";
import { loginIn } from "../../shared/login/read-login.ts";
import { useAction } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock, CopyButton } from "../../ui/code.tsx";
import { Facts, StatusMark } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart, Empty, Loaded, Page, Screen } from "../../ui/screen.tsx";
import { cellId, RESULTS, takeExploration, useExploration } from "./exploration.ts";
import { Matrix } from "./matrix.tsx";

const ResultMark = ({ run }: { readonly run: ExploredRun }) => {
  const [word, tone] = RESULTS[run.result];
  return (
    <StatusMark tone={run.known && isFailure(run) ? "quiet" : tone}>
      {sentence(word)}
      {run.known && isFailure(run) && " (known)"}
    </StatusMark>
  );
};

const Film = ({ run }: { readonly run: ExploredRun }) => {
  const login = run.film === undefined ? undefined : loginIn(run.film);
  if (login !== undefined) return <LoginFilm key={cellId(run)} login={login} />;
  return (
    <p className="dim">
      {run.film === undefined
        ? "This file has no logins. “stagedoor explore --out DIR” writes exploration.json, which has them."
        : "No login came of this request."}
    </p>
  );
};

/** A run: what failed, what the program did then, how to repeat it, and its login. */
const RunDetail = ({ run, onClose }: { readonly run: ExploredRun; readonly onClose: () => void }) => (
  <DetailPanel title={`${run.step}, ${run.kind}`} sub={<ResultMark run={run} />} onClose={onClose}>
    <Facts
      of={{
        Failure: sentence(KIND_WORDS[run.kind]),
        After: sentence(afterWords(run)),
        Duration: `${(run.ms / 1_000).toFixed(1)} s`,
      }}
    />
    <DetailPart title="Login">
      <Film run={run} />
    </DetailPart>
    <DetailPart title="Repeat it">
      <CodeBlock what="Command" text={run.repeat} />
    </DetailPart>
  </DetailPanel>
);

const OpenFile = () => {
  const { go } = useAddress();
  const { busy, run } = useAction(async (file: File) => {
    takeExploration(await file.text(), file.name);
    go({ id: null });
  });
  return (
    <FileButton accept="application/json,.json" onChange={(file) => file && run(file)}>
      {(props) => (
        <Button {...props} loading={busy}>
          Open file…
        </Button>
      )}
    </FileButton>
  );
};

/** The matrix of `stagedoor explore`: each cell is a run, with its login. */
export const ExplorationPart = () => {
  const { address, go } = useAddress();
  const shown = useExploration();
  const all = shown.data ?? undefined;
  const chosen = all?.runs.find((run) => cellId(run) === address.id);
  return (
    <Screen
      title="Exploration"
      tools={
        <Group ms="auto" gap={8} wrap="nowrap">
          {all && <CopyButton what="Matrix" label="Copy as Markdown" text={exploredMarkdown(all)} />}
          <OpenFile />
        </Group>
      }
      detail={chosen && <RunDetail run={chosen} onClose={() => go({ id: null })} />}
    >
      <Loaded of={shown} what="The exploration">
        {(data) =>
          data === null ? (
            <Empty title="No exploration open">
              <p>
                Run your login again and again, each time with one request broken as networks do, then drop
                DIR/exploration.json anywhere in this window.
              </p>
              <CodeBlock what="Command" text="stagedoor explore --out DIR -- npm test" />
            </Empty>
          ) : (
            <Page>
              <Matrix of={data} />
              <p className="dim">{exploredSummary(data)}</p>
            </Page>
          )
        }
      </Loaded>
    </Screen>
  );
};
