/** Pending testimonials: read in full, then shown, changed or deleted; nothing without any. */
import { useState } from "react";
import { BY_ORDER, positionAfterLast } from "../../../../schema/entities/entity.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { deleteWithUndo } from "../../data/listWrites.ts";
import { useEntity } from "../../data/useEntity.ts";
import { updateItem, withToast } from "../../data/writes.ts";
import { ItemForm } from "../../editor/ItemForm.tsx";
import { InlineForm } from "../../editor/OrderedList.tsx";
import { Card } from "../../parts/Card.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { whenInside } from "../../../shared/when.ts";
import { useAction } from "../../../ui/useAction.ts";
import css from "./testimonials.css" with { type: "text" };
import { TestimonialFields } from "./TestimonialFields.tsx";
import { isWaiting, type Testimonial } from "./waiting.tsx";

export function WaitingCard() {
  useSheet(css);
  const { value: all = [] } = useEntity("testimonials");
  const [edited, edit] = useState<string>();
  const waiting = all
    .filter(isWaiting)
    .toSorted((one, other) => ((one.receivedAt ?? "") < (other.receivedAt ?? "") ? 1 : -1));
  const position = positionAfterLast(
    BY_ORDER,
    all.filter((each) => !isWaiting(each)),
  );
  const close = () => edit(undefined);
  return (
    <>
      <Dialog open={edited !== undefined} onClose={close} title="Edit Testimonial">
        <InlineForm>
          {edited !== undefined && (
            <ItemForm
              key={edited}
              entity="testimonials"
              Fields={TestimonialFields}
              item={edited}
              items={all}
              onClose={close}
            />
          )}
        </InlineForm>
      </Dialog>
      {waiting.length > 0 && (
        <Card
          className="mb-16"
          title="Needs your review"
          note={`${waiting.length} not published yet`}
          flush
        >
          <ul className="rows divided">
            {waiting.map((each) => (
              <Waiting key={each.id} item={each} position={position} onEdit={() => edit(each.id)} />
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

interface WaitingProps {
  readonly item: Testimonial;
  /** After those already decided. */
  readonly position: number;
  readonly onEdit: () => void;
}

function Waiting({ item, position, onEdit }: WaitingProps) {
  const { id, words, name, role, receivedAt } = item;
  const author = [name, role].filter(Boolean).join(", ");
  const [pending, show] = useAction(() => {
    const back = { isActive: false, isWaiting: true };
    const undo = () => void withToast(HIDDEN, () => updateItem("testimonials", id, back));
    const shown = { isActive: true, isWaiting: false, order: position };
    return withToast(SHOWN, () => updateItem("testimonials", id, shown), undo);
  });
  return (
    <li className="list-row testimonial-waiting pad">
      <p dir="auto">{words}</p>
      <p className="quiet small" dir="auto">
        {author}
        {receivedAt !== null && ` · received ${whenInside(receivedAt)}`}
      </p>
      <div className="cluster mt-12">
        <Button pending={pending} aria-label={`Publish: ${name}`} onClick={show}>
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

const SHOWN = { success: "Testimonial published", failure: "Couldn't publish the testimonial" };
const HIDDEN = { success: "Testimonial hidden", failure: "Couldn't hide the testimonial" };
