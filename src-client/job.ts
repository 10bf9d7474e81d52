/** Identifies a CI job, so that all its processes use the same emulator. */
import { variable } from "./environment.ts";

/** The variables that identify a job in each CI system; all of a row together. */
const BY_SYSTEM: readonly (readonly string[])[] = [
  ["STAGEDOOR_JOB"],
  // GitLab
  ["CI_JOB_ID"],
  // GitHub Actions: the jobs of a matrix share GITHUB_JOB, but have separate runners.
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

/** @returns the id of this job; undefined if no variable is set. */
export const jobOfEnvironment = (): string | undefined => {
  const values = BY_SYSTEM.map((names) => names.map(variable)).find(([first]) => first !== undefined);
  return values?.filter((value) => value !== undefined).join("/");
};
