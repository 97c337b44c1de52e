/** The state of a subscription: active green, unsubscribed red, pending yellow, others grey (spec section 4). */
import type { ComponentProps } from "react";
import { SUBSCRIPTION_STATUSES } from "../../../../schema/visitors.ts";
import { Badge } from "../../parts/Badge.tsx";

const TONES: Readonly<Record<string, ComponentProps<typeof Badge>["tone"]>> = {
  active: "ok",
  unsubscribed: "bad",
  pending: "warn",
};

/** Renders the badge. */
export function SubscriptionStatus({ status }: { status: string }) {
  const label = SUBSCRIPTION_STATUSES.find(({ value }) => value === status)?.label ?? status;
  return (
    <Badge tone={TONES[status] ?? "neutral"} dot>
      {label}
    </Badge>
  );
}
