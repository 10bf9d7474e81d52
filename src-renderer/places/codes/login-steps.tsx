/** Loads after the first view. */
import { FaultsAhead } from "../../shared/fault/faults-ahead.tsx";
import type { Standing } from "../../shared/login/standing.ts";
import type { Story } from "../../shared/login/stories.ts";
import { StorySteps } from "../../shared/login/story-steps.tsx";
import { VerdictWords } from "../../shared/login/verdict.tsx";
import { AdvicePart, CopySent } from "../../shared/request/advice-part.tsx";
import { CreateAppButton } from "../../shared/request/create-app.tsx";
import { Verdict } from "../../ui/verdict.tsx";

interface LoginStoryProps {
  readonly story: Story;
  readonly standing: Standing;
}

/** Why a login stands as it does, and what repairs it. */
export const LoginVerdict = ({ story, standing }: LoginStoryProps) => {
  const last = standing.kind === "failed" ? story.rows.at(-1) : undefined;
  return (
    <Verdict
      tone={standing.kind === "waiting" ? "quiet" : standing.tone}
      action={
        last && (
          <>
            <CreateAppButton row={last} />
            <CopySent row={last} />
          </>
        )
      }
    >
      <VerdictWords story={story} standing={standing} />
    </Verdict>
  );
};

/** The steps of a login; below them what its user meets next, and how to fix what failed. @param open shows the last one. */
export const LoginStory = ({ story, standing, open }: LoginStoryProps & { readonly open: boolean }) => {
  const code = story.passcodes.at(-1);
  const last = story.rows.at(-1);
  // The verdict has the first one of what failed.
  const rest = last === undefined || last.status < 400 ? [] : [{ ...last, advice: last.advice.slice(1) }];
  const hasFailed = standing.kind === "failed";
  return (
    <>
      <StorySteps story={story} open={open} />
      {code && <FaultsAhead passcode={code} />}
      <AdvicePart
        rows={hasFailed ? rest : story.rows.filter(({ status }) => status > 0 && status < 400)}
        failed={hasFailed}
      />
    </>
  );
};
