import { type ComponentType, createElement, Fragment } from "react";

/** @returns a component that shows each of them, with what it gets. */
export const inARow =
  <P extends object>(parts: readonly ComponentType<P>[]) =>
  (of: P) =>
    createElement(Fragment, null, ...parts.map((part) => createElement(part, of)));
