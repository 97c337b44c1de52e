/** Shows something away from the form it belongs to, whose Enter key is none of its business. */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

/** Within the dashboard's root, where its styles hold. */
export const outsideForms = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
