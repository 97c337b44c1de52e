/** Renders children outside of the surrounding form, so that they don't submit it, for example by Enter. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

export const createFormPortal = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
