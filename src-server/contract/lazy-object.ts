/** Object schemas whose fields are built when they are first needed: a start needs few of them. */
import { z } from "zod";

type Shape = z.core.$ZodLooseShape;
type Lazy<T extends Shape, C extends z.core.$ZodObjectConfig> = z.ZodObject<z.core.util.Writeable<T>, C>;

const objectOf = <T extends Shape>(build: () => T, catchall?: z.core.$ZodType) => {
  let built: T | undefined;
  const def = {
    type: "object" as const,
    get shape() {
      built ??= build();
      return built;
    },
    ...(catchall && { catchall }),
  };
  const schema = new z.ZodObject(def);
  // Here zod looks for the fields when it asks whether a value can contain itself. Where it does not find them, it
  // prepares for cycles in each parse, which costs a sign-up a tenth of its processor time.
  const { get } = Object.getOwnPropertyDescriptor(def, "shape") ?? {};
  if (get !== undefined) Object.defineProperty(get, "raw", { get });
  return schema;
};

/** Like `z.object`. @param build its fields. */
export const lazyObject = <T extends Shape>(build: () => T) => objectOf(build) as Lazy<T, z.core.$strip>;

/** Like `z.strictObject`. @param build its fields. */
export const lazyStrictObject = <T extends Shape>(build: () => T) =>
  objectOf(build, z.never()) as Lazy<T, z.core.$strict>;
