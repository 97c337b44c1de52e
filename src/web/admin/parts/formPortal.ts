/** Renders children outside of the surrounding form, so that Enter inside them doesn't submit that form. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

export const createFormPortal = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
