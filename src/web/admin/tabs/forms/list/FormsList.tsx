/** The Forms subtab: every form as a card. */
import { useState } from "react";
import type { Item } from "../../../../../schema/index.ts";
import { WhenRead } from "../../../parts/WhenRead.tsx";
import { useEntity } from "../../../queries/useEntity.ts";
import { NewFormButton } from "../NewFormButton.tsx";
import { NoForms } from "../NoForms.tsx";
import { DeleteForm } from "./DeleteForm.tsx";
import { FormCard } from "./FormCard.tsx";

/** Renders the cards and the way to a new form. */
export function FormsList() {
  const read = useEntity("forms");
  const [doomed, setDoomed] = useState<Item<"forms"> | null>(null);
  const forms = read.value ?? [];
  // Visitors get the first active one (spec section 4, "Enquiry form").
  const shown = forms.find((form) => form.isActive);
  return (
    <WhenRead of={read} what="forms">
      {() =>
        forms.length === 0 ? (
          <NoForms />
        ) : (
          <div className="stack">
            <div className="list-head">
              <p className="quiet">
                {shown
                  ? "The coaching page shows the first active form."
                  : "No form is active: the coaching page shows none."}
              </p>
              <NewFormButton count={forms.length} />
            </div>
            <ul className="form-cards">
              {forms.map((form) => (
                <FormCard
                  key={form.id}
                  form={form}
                  isShown={form === shown}
                  onDelete={() => setDoomed(form)}
                />
              ))}
            </ul>
            <DeleteForm form={doomed} onClose={() => setDoomed(null)} />
          </div>
        )
      }
    </WhenRead>
  );
}
