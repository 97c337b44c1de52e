/** The state of a submission as a coloured word. */
import Check from "lucide-react/icons/check";
import type { ComponentProps } from "react";
import { SUBMISSION_STATUSES } from "../../../../../schema/visitors.ts";
import { Badge } from "../../../parts/Badge.tsx";

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  new: "warn",
  reviewed: "neutral",
  archived: "info",
};

/** Renders the badge. */
export function StatusBadge({ status }: { status: string }) {
  const label = SUBMISSION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"}>
      {status === "reviewed" && <Check size={12} aria-hidden="true" />}
      {label}
    </Badge>
  );
}
