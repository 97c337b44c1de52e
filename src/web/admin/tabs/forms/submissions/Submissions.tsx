/** The Submissions subtab: pick a form, then read what visitors sent (spec section 2). */
import { WhenRead } from "../../../parts/WhenRead.tsx";
import { useEntity } from "../../../queries/useEntity.ts";
import { ChooseForm } from "../ChooseForm.tsx";
import { NoForms } from "../NoForms.tsx";
import { useChosenForm } from "../useChosenForm.ts";
import { SubmissionsCard } from "./SubmissionsCard.tsx";

/** Shows the submissions of the chosen form. */
export function Submissions() {
  const read = useEntity("forms");
  const { chosen, choose } = useChosenForm();
  const forms = read.value ?? [];
  const form = forms.find(({ id }) => id === chosen);
  return (
    <WhenRead of={read} what="forms">
      {() => {
        if (form)
          return <SubmissionsCard key={form.id} form={form} onChange={() => choose(undefined)} />;
        if (forms.length === 0) return <NoForms />;
        return <ChooseForm forms={forms} purpose="read its submissions" onChoose={choose} />;
      }}
    </WhenRead>
  );
}
