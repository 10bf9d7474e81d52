/** Custom properties in `style`: React takes them, its types do not know them. */
import "react";

declare module "react" {
  interface CSSProperties {
    [property: `--${string}`]: string | number | undefined;
  }
}
