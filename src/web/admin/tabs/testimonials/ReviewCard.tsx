/** Testimonials that need a review: publish, edit or delete. */
import { useState } from "react";
import {
  DEFAULT_ARRANGEMENT,
  computePositionAfterLast,
} from "../../../../schema/entities/entity.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useEntity } from "../../data/useEntity.ts";
import { updateItem, runWithToast } from "../../data/entityWrites.ts";
import { ItemForm, type ItemOverrides } from "../../editor/ItemForm.tsx";
import type { Draft } from "../../data/useDraft.ts";
import { InlineForm } from "../../editor/OrderedList.tsx";
import { Card } from "../../parts/Card.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { formatRelativeDateTimeInSentence } from "../../../shared/formatTimes.ts";
import { useAction } from "../../../ui/useAction.ts";
import css from "./testimonials.css" with { type: "text" };
import { isAwaitingReview, type Testimonial } from "./awaitingReview.tsx";

export function ReviewCard() {
  useStylesheet(css);
  const { value: testimonials = [] } = useEntity("testimonials");
  const [editedId, setEditedId] = useState<string>();
  const awaitingReview = testimonials
    .filter(isAwaitingReview)
    .toSorted((one, other) => ((one.receivedAt ?? "") < (other.receivedAt ?? "") ? 1 : -1));
  const nextPosition = computePositionAfterLast(
    DEFAULT_ARRANGEMENT,
    testimonials.filter((each) => !isAwaitingReview(each)),
  );
  const close = () => setEditedId(undefined);
  return (
    <>
      <Dialog isOpen={editedId !== undefined} onClose={close} title="Edit Testimonial">
        <InlineForm>
          {editedId !== undefined && (
            <ItemForm
              key={editedId}
              entity="testimonials"
              overrideFields={createTestimonialFieldOverrides}
              item={editedId}
              items={testimonials}
              onClose={close}
            />
          )}
        </InlineForm>
      </Dialog>
      {awaitingReview.length > 0 && (
        <Card
          className="mb-16"
          title="Needs your review"
          note={`${awaitingReview.length} not published yet`}
          isFlush
        >
          <ul className="rows divided">
            {awaitingReview.map((each) => (
              <ReviewRow
                key={each.id}
                item={each}
                position={nextPosition}
                onEdit={() => setEditedId(each.id)}
              />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

interface ReviewRowProps {
  readonly item: Testimonial;
  /** The testimonial's position once it is published: after all others. */
  readonly position: number;
  readonly onEdit: () => void;
}

function ReviewRow({ item, position, onEdit }: ReviewRowProps) {
  const { id, words, name, role, receivedAt } = item;
  const author = [name, role].filter(Boolean).join(", ");
  const [isPending, publish] = useAction(() => {
    const hiddenValues = { isActive: false, isWaiting: true };
    const undo = () =>
      void runWithToast(HIDE_MESSAGES, () => updateItem("testimonials", id, hiddenValues));
    const publishedValues = { isActive: true, isWaiting: false, order: position };
    return runWithToast(
      PUBLISH_MESSAGES,
      () => updateItem("testimonials", id, publishedValues),
      undo,
    );
  });
  return (
    <li className="list-row testimonial-waiting pad">
      <p dir="auto">{words}</p>
      <p className="quiet small" dir="auto">
        {author}
        {receivedAt !== null && ` · received ${formatRelativeDateTimeInSentence(receivedAt)}`}
      </p>
      <div className="cluster mt-12">
        <Button isPending={isPending} aria-label={`Publish: ${name}`} onClick={publish}>
          Publish
        </Button>
        <Button variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="quiet"
          aria-label={`Delete ${name}`}
          onClick={() => void deleteWithUndo("testimonials", item)}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}

const PUBLISH_MESSAGES = {
  success: "Testimonial published",
  failure: "Couldn't publish the testimonial",
};
const HIDE_MESSAGES = { success: "Testimonial hidden", failure: "Couldn't hide the testimonial" };

/** Publishing a testimonial in its form also ends its review. */
export const createTestimonialFieldOverrides = (draft: Draft<"testimonials">): ItemOverrides => ({
  words: { rows: 5 },
  portrait: { isFolded: true },
  isActive: {
    onChange: (isActive) => {
      draft.setField("isActive", isActive);
      if (isActive) draft.setField("isWaiting", false);
    },
  },
});
