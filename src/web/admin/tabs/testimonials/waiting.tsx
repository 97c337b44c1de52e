/** Pending testimonials: written by somebody, and not yet decided by the owner. */
import { useQuery } from "@tanstack/react-query";
import type { Item } from "../../../../schema/index.ts";
import { MINUTE } from "../../../../schema/core/time.ts";
import { entityQuery } from "../../data/useEntity.ts";

export type Testimonial = Item<"testimonials">;

export const isWaiting = ({ isActive, isWaiting: waits }: Testimonial): boolean =>
  waits && !isActive;

const QUARTER_OF_AN_HOUR = 15 * MINUTE;

/** Their number, in the tab's badge. */
export function WaitingTestimonials() {
  const { data } = useQuery({
    ...entityQuery("testimonials"),
    // One may arrive while the dashboard is open.
    refetchInterval: QUARTER_OF_AN_HOUR,
  });
  const count = data?.value.filter(isWaiting).length ?? 0;
  if (count === 0) return null;
  return (
    <span className="rail-count tabular" data-tone="warn">
      {count} <span className="visually-hidden">to review</span>
    </span>
  );
}
