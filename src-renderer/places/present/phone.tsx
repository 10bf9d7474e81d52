import { useElementSize } from "@mantine/hooks";
import type { RefObject } from "react";
import classes from "./present.module.css";

/** The unscaled height of the phone in pixels. */
const HEIGHT = 760;

interface PhoneProps {
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly onLoad: () => void;
  readonly src: string;
}

/** A generic phone with the demo app on its screen. */
export const Phone = ({ frame, onLoad, src }: PhoneProps) => {
  const { ref, height } = useElementSize();
  return (
    <div className={classes["room"]} ref={ref}>
      <div className={classes["phone"]} style={{ transform: `scale(${height / HEIGHT})` }}>
        <iframe
          ref={frame}
          src={src}
          onLoad={onLoad}
          title="Phone"
          sandbox="allow-scripts allow-same-origin allow-forms"
          referrerPolicy="no-referrer"
        />
      </div>
    </div>
  );
};
