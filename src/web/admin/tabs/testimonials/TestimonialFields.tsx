/** A testimonial's form: public fields, and the owner's own. */
import { useEffect } from "react";
import type { Draft } from "../../data/useDraft.ts";
import { Field } from "../../editor/Field.tsx";
import { Fold } from "../../editor/Fold.tsx";

const PUBLIC = ["words", "name", "role", "portrait", "link", "isActive"] as const;
const PRIVATE = ["agreed", "email"] as const;

export function TestimonialFields({ draft }: { draft: Draft<"testimonials"> }) {
  const { isActive, isWaiting, agreed, email } = draft.values;
  // Showing it to visitors decides about it.
  useEffect(() => {
    if (isActive && isWaiting) draft.set("isWaiting", false);
  });
  const noted = [agreed && "agreed", email].filter(Boolean).join(", ");
  return (
    <div className="fields">
      {PUBLIC.map((name) => (
        <Field
          key={name}
          draft={draft}
          name={name}
          {...(name === "words" && { rows: 5 })}
          {...(name === "portrait" && { folded: true })}
        />
      ))}
      <Fold
        title="Only you see this"
        note={noted || "consent, their email"}
        isOpen={PRIVATE.some((name) => draft.errors[name] !== undefined)}
      >
        <div className="fields">
          {PRIVATE.map((name) => (
            <Field key={name} draft={draft} name={name} />
          ))}
        </div>
      </Fold>
    </div>
  );
}
