/** A notice with an icon and an action, in the color of its tone. */
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import type { ReactNode } from "react";

interface CalloutProps {
  readonly tone: "ok" | "warn";
  /** The name of the callout as a landmark. Default: it isn't one. */
  readonly label?: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

export function Callout({ tone, label, children, action }: CalloutProps) {
  const Box = label === undefined ? "div" : "section";
  const Icon = tone === "ok" ? CircleCheck : TriangleAlert;
  return (
    <Box className="callout row cluster gap-12" data-tone={tone} aria-label={label}>
      <Icon size={16} data-tone={tone} aria-hidden="true" />
      <div className="grow">{children}</div>
      {action}
    </Box>
  );
}
