import { encode } from "uqr";

/** Modules of white around a QR code, which readers need. */
const BORDER = 2;

/** A URL for the camera of a phone: dark on white in either theme, since not every camera reads the other way round. */
export const QrCode = ({ url }: { readonly url: string }) => {
  const { data, size } = encode(url, { border: BORDER, ecc: "M" });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg
      width={160}
      height={160}
      role="img"
      aria-label={`QR code of ${url}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#101216" />
    </svg>
  );
};
