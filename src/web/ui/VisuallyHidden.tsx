/** Words for assistive technology that take no room on the screen. */
import type { ReactNode } from "react";

/** Renders `children` off the screen but within the reading order. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="ui-hidden">{children}</span>;
}
