import { encode } from "uqr";
import classes from "./qr-code.module.css";

/** Modules of white around it, which readers need. */
const BORDER = 2;

/** A URL for the camera of a phone: dark on white in either theme, since not every camera reads the other way round. */
export const QrCode = ({ url }: { readonly url: string }) => {
  const { data, size } = encode(url, { border: BORDER, ecc: "M" });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg
      className={classes.code}
      role="img"
      aria-label={`QR code of ${url}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
};
