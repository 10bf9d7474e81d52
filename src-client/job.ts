/** What a job of CI is called, so that all its processes find the same emulator. */
import { variable } from "./environment.ts";

/** The variables that tell one job from another, for each CI system. Together they name the job. */
const BY_SYSTEM: readonly (readonly string[])[] = [
  ["STAGEDOOR_JOB"],
  // GitLab
  ["CI_JOB_ID"],
  // GitHub Actions: legs of a matrix share the name of the job, but each has a runner.
  ["GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB", "RUNNER_NAME"],
  ["BUILDKITE_JOB_ID"],
  ["CIRCLE_WORKFLOW_JOB_ID", "CIRCLE_NODE_INDEX"],
  // Azure Pipelines
  ["SYSTEM_JOBID"],
  ["SEMAPHORE_JOB_ID"],
  ["TRAVIS_JOB_ID"],
  ["BITBUCKET_STEP_UUID"],
  // Jenkins
  ["BUILD_TAG"],
];

/** @returns the name of this job; undefined where no variable names it. */
export const jobOfEnvironment = (): string | undefined => {
  for (const names of BY_SYSTEM) {
    const values = names.map(variable);
    if (values[0] !== undefined) return values.filter((value) => value !== undefined).join("/");
  }
  return undefined;
};
