/**
 * Renders children outside of the surrounding form. Otherwise pressing Enter inside `children`, for example, would
 * submit the surrounding form.
 */
import type { ReactNode } from "react";
import { createPortal } from "react-dom";

export const createFormPortal = (children: ReactNode) =>
  createPortal(children, document.querySelector(".admin") ?? document.body);
