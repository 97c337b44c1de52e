/** Renders outside the form it belongs to, whose Enter key must not affect it. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

/** Within the dashboard's root, where its styles apply. */
export const createFormPortal = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
