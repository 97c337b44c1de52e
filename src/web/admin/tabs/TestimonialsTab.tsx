/** The Testimonials tab: testimonials to review, all other testimonials, section settings, preview. */
import type { Item } from "../../../schema/index.ts";
import { isShortQuote } from "../../../schema/sections/testimonialRules.ts";
import { useEntity } from "../data/useEntity.ts";
import { Badge } from "../parts/Card.tsx";
import { UrlThumbnail } from "../parts/Thumbnail.tsx";
import { createSectionTab } from "./SectionTab.tsx";
import { RequestTestimonialButton, RequestList } from "./testimonials/TestimonialRequests.tsx";
import { isAwaitingReview } from "./testimonials/awaitingReview.tsx";
import { createTestimonialFieldOverrides, ReviewCard } from "./testimonials/ReviewCard.tsx";

export const TestimonialsTab = createSectionTab("testimonials", {
  Action: RequestTestimonialButton,
  AboveList: () => (
    <>
      <ReviewCard />
      <RequestList />
    </>
  ),
  isListed: (item) => !isAwaitingReview(item),
  overrideFields: createTestimonialFieldOverrides,
  Row: (item) => <TestimonialRow {...item} />,
  getName: ({ name }) => name,
});

/** Pages show the first active testimonial large, so its row has a badge. */
function TestimonialRow({ id, words, name, role, portrait, isActive }: Item<"testimonials">) {
  const { value = [] } = useEntity("testimonials");
  const isFirstActive = value.find((each) => each.isActive)?.id === id;
  return (
    <>
      {portrait ? (
        <UrlThumbnail url={portrait} className="testimonial-portrait ui-avatar center" />
      ) : (
        <span className="testimonial-portrait ui-avatar center quiet note" aria-hidden="true">
          {createInitials(name)}
        </span>
      )}
      <span className="row-text title-note grow">
        <strong className="line-clamp" dir="auto">
          {words}
        </strong>
        <span className="quiet" dir="auto">
          {[name, role].filter(Boolean).join(", ")}
        </span>
      </span>
      {isFirstActive && isShortQuote(words) && <Badge>Large</Badge>}
      {!isActive && <Badge>Hidden</Badge>}
    </>
  );
}

/** Returns the initials of the first and the last word: PB for "Paul and Denise Barker". */
function createInitials(name: string): string {
  const nameParts = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word));
  const firstAndLast = nameParts.length > 1 ? [nameParts[0], nameParts.at(-1)] : nameParts;
  return firstAndLast
    .map((word) => [...(word ?? "")][0])
    .join("")
    .toUpperCase();
}
