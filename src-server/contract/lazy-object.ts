/** Object schemas whose fields are built when they are first needed: a start needs few of them. */
import { z } from "zod";

type Shape = z.core.$ZodLooseShape;
type Lazy<T extends Shape, C extends z.core.$ZodObjectConfig> = z.ZodObject<z.core.util.Writeable<T>, C>;

const objectOf = <T extends Shape>(build: () => T, catchall?: z.core.$ZodType) => {
  let built: T | undefined;
  return new z.ZodObject({
    type: "object",
    get shape() {
      built ??= build();
      return built;
    },
    ...(catchall && { catchall }),
  });
};

/** Like `z.object`. @param build its fields. */
export const lazyObject = <T extends Shape>(build: () => T) => objectOf(build) as Lazy<T, z.core.$strip>;

/** Like `z.strictObject`. @param build its fields. */
export const lazyStrictObject = <T extends Shape>(build: () => T) =>
  objectOf(build, z.never()) as Lazy<T, z.core.$strict>;
