/** Status and body of an error: the default, or by the settings of the app. */
import type { EffectiveSettings } from "#contract/service/effective-settings.ts";
import { type Problem, problems, statusPhrase, whatToDo } from "#contract/service/problems.ts";

/** @returns the HTTP status. */
export const statusOf = (problem: Problem): number => problem.status ?? problems[problem.code].status;

/** @param errors the settings of the app, if it is known. @param errorId only for a 500. @returns the body. */
export const refusalBody = (problem: Problem, errors?: EffectiveSettings["errors"], errorId?: string): object => {
  const status = statusOf(problem);
  if (status === 422 && problem.fields !== undefined)
    return errors?.fields === "nested" ? { errors: problem.fields } : problem.fields;
  const instruction = whatToDo(problem);
  const body = errors?.shape === "error" ? { error: instruction } : { message: statusPhrase(status), instruction };
  return { ...body, ...problem.more, ...(errorId !== undefined && { errorId }) };
};
