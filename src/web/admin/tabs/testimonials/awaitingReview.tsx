/** Testimonials that visitors submitted and the owner hasn't reviewed. */
import { useQuery } from "@tanstack/react-query";
import type { Item } from "../../../../schema/index.ts";
import { MINUTE } from "../../../../schema/core/time.ts";
import { createEntityQuery } from "../../data/useEntity.ts";

export type Testimonial = Item<"testimonials">;

export const isAwaitingReview = ({ isActive, isWaiting }: Testimonial): boolean =>
  isWaiting && !isActive;

const POLL_INTERVAL_MS = 15 * MINUTE;

export function AwaitingReviewBadge() {
  const { data } = useQuery({
    ...createEntityQuery("testimonials"),
    // A testimonial may arrive while the dashboard is open.
    refetchInterval: POLL_INTERVAL_MS,
  });
  const count = data?.value.filter(isAwaitingReview).length ?? 0;
  if (count === 0) return null;
  return (
    <span className="rail-count" data-tone="warn">
      {count} <span className="visually-hidden">to review</span>
    </span>
  );
}
