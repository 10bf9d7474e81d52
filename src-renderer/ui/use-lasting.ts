/** For what is worth saying only once it has lasted. */
import { useEffect, useState } from "react";

/** @param ms how long, in milliseconds. @returns whether something has been so for that long. */
export const useLasting = (isSo: boolean, ms: number): boolean => {
  const [hasLasted, setLasted] = useState(false);
  useEffect(() => {
    setLasted(false);
    const timer = isSo ? setTimeout(() => setLasted(true), ms) : undefined;
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && hasLasted;
};
