/** The people of a stage. */

/** @returns whether a profile is a persona: it has `metadata.persona`. */
export const isPersona = ({
  metadata,
}: {
  readonly metadata?: Readonly<Record<string, unknown>> | null | undefined;
}): boolean => Object.hasOwn(metadata ?? {}, "persona");
