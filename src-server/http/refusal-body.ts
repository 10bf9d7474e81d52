/** The status and the body of a refusal: as CONTRACT 5 has them, or as the settings of an app have them (CONTRACT 12). */
import type { EffectiveSettings } from "#contract/effective-settings.ts";
import { type Problem, problems, statusPhrase } from "#contract/problems.ts";

/** @returns its HTTP status. */
export const statusOf = (problem: Problem): number => problem.status ?? problems[problem.code].status;

/**
 * @param errors the settings of the app that the request was about; undefined: none is known.
 * @param errorId with 500 alone.
 * @returns what the client reads.
 */
export const refusalBody = (problem: Problem, errors?: EffectiveSettings["errors"], errorId?: string): object => {
  const status = statusOf(problem);
  if (status === 422 && problem.fields !== undefined)
    return errors?.fields === "nested" ? { errors: problem.fields } : problem.fields;
  const instruction = problem.instruction ?? problems[problem.code].instruction;
  const body = errors?.shape === "error" ? { error: instruction } : { message: statusPhrase(status), instruction };
  return errorId === undefined ? body : { ...body, errorId };
};
