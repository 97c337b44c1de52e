/** Renders outside of the surrounding form, whose submit and Enter key must not react. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

export const createFormPortal = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
