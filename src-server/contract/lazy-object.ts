/** Object schemas whose fields are built when they are first needed: a start needs few of them. */
import { z } from "zod";

type Shape = z.core.$ZodLooseShape;
type Lazy<T extends Shape, C extends z.core.$ZodObjectConfig> = z.ZodObject<z.core.util.Writeable<T>, C>;

const skipping: WeakSet<z.core.$ZodType> = new WeakSet();

/** Leaves absent fields alone: zod would check `undefined`, and drop the errors that this makes. */
const skipAbsent = (field: z.core.$ZodType): void => {
  if (!(field instanceof z.ZodExactOptional) || skipping.has(field)) return;
  skipping.add(field);
  const { run } = field._zod;
  field._zod.run = (payload, context) => (payload.value === undefined ? payload : run(payload, context));
};

const objectOf = <T extends Shape>(build: () => T, catchall?: z.core.$ZodType) => {
  let built: T | undefined;
  const def = {
    type: "object" as const,
    get shape() {
      if (built !== undefined) return built;
      built = build();
      for (const field of Object.values(built)) skipAbsent(field);
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
