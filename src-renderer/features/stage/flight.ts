/** Animates digits from the notification on the phone to the code field. */
import type { PhoneBox } from "#contract/control/stage-bridge.ts";

/** How long one digit flies, in milliseconds. */
export const FLIGHT_MS = 420;

const OVER_ALL =
  "position: fixed; left: 0; top: 0; z-index: 5; line-height: 1; font-weight: 700; color: var(--sd-accent); pointer-events: none";

/** @returns whether the user prefers reduced motion. */
export const isStill = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Animates digits from an element to a field of the page in a frame. @param everyMs delay between digits. */
export const flyDigits = (
  code: string,
  from: Element,
  frame: HTMLElement,
  [x, y, width, height]: NonNullable<PhoneBox>,
  everyMs: number,
): void => {
  const start = from.getBoundingClientRect();
  const screen = frame.getBoundingClientRect();
  // The phone is scaled as a whole.
  const scale = screen.width / frame.offsetWidth;
  const step = start.width / code.length;
  const cell = (width * scale) / code.length;
  for (const [at, digit] of [...code].entries()) {
    const flyer = document.createElement("span");
    flyer.textContent = digit;
    flyer.className = "mono";
    flyer.setAttribute("aria-hidden", "true");
    const size = height * scale * 0.5;
    flyer.style.cssText = `${OVER_ALL}; font-size: ${size}px`;
    const small = start.height / size / 1.3;
    const begin = `translate(${start.left + at * step}px, ${start.top}px) scale(${small})`;
    const endX = screen.left + x * scale + (at + 0.5) * cell - size * 0.3;
    const end = `translate(${endX}px, ${screen.top + (y + height * 0.25) * scale}px)`;
    document.body.append(flyer);
    flyer.animate([{ transform: begin }, { transform: end }], {
      duration: FLIGHT_MS,
      delay: at * everyMs,
      easing: "cubic-bezier(0.3, 0, 0.2, 1)",
      fill: "backwards",
    }).onfinish = () => flyer.remove();
  }
};
