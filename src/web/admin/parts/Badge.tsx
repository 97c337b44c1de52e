/** A word in a pill, always with a dot or tick: colour is never the only sign. */
import type { ReactNode } from "react";

/** `tone`: amber for new, green for active, red for failed, blue for put away. */
export interface BadgeProps {
  readonly tone?: "neutral" | "warn" | "ok" | "bad" | "info";
  readonly dot?: boolean;
  readonly children: ReactNode;
}

/** Renders the pill. */
export function Badge({ tone = "neutral", dot = tone !== "neutral", children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone}>
      {dot && <span className="dot" />}
      {children}
    </span>
  );
}
