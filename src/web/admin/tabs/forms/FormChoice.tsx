/** The choice of a form for the Builder and the Submissions. */
import { getRouteApi } from "@tanstack/react-router";
import ArrowLeftRight from "lucide-react/icons/arrow-left-right";
import ChevronRight from "lucide-react/icons/chevron-right";
import ClipboardList from "lucide-react/icons/clipboard-list";
import { type ReactNode, useState } from "react";
import type { Item } from "../../../../schema/index.ts";
import { formatCount } from "../../../../schema/core/formatNumber.ts";
import { Button } from "../../../ui/Button.tsx";
import { useEntity } from "../../data/useEntity.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { useSubmissionCounts } from "./submissionCounts.tsx";

const route = getRouteApi("/admin/dashboard");

type FormsSubtab = "forms" | "builder" | "submissions";

/** Returns the form and enquiry in the URL (`&form=`, `&enquiry=`), and a function that changes them. */
export function useFormInUrl() {
  const { form, enquiry } = route.useSearch();
  const navigate = route.useNavigate();
  const openForm = (id: string | undefined, sub?: FormsSubtab, enquiryId?: string) =>
    void navigate({
      search: ({ tab, sub: open }) => ({ tab, sub: sub ?? open, form: id, enquiry: enquiryId }),
      resetScroll: false,
    });
  return { formId: form, enquiry, openForm };
}

/** Returns the forms, the chosen form (from the URL, or the only form), and whether the user is choosing another. */
export function useFormChoice() {
  const formsQuery = useEntity("forms");
  const { formId, enquiry, openForm } = useFormInUrl();
  const [isChoosing, setIsChoosing] = useState(false);
  const forms = formsQuery.value ?? [];
  const form = forms.find(({ id }) => id === formId) ?? (forms.length === 1 ? forms[0] : undefined);
  const chooseForm = (id: string | undefined) => {
    setIsChoosing(false);
    openForm(id);
  };
  return {
    formsQuery,
    forms,
    form,
    enquiry,
    isChoosing,
    open: chooseForm,
    startChoosing: () => setIsChoosing(true),
  };
}

export const ChangeFormButton = ({ onClick }: { onClick: () => void }) => (
  <Button onClick={onClick}>
    <ArrowLeftRight size={16} aria-hidden="true" /> Change Form
  </Button>
);

/** `purpose` completes the heading "Choose a form to ...". */
interface FormChoiceProps {
  readonly forms: readonly Item<"forms">[];
  readonly purpose: string;
  readonly onChoose: (id: string) => void;
  readonly onShowAll?: () => void;
}

const NewBadge = ({ count = 0 }: { count: number | undefined }) =>
  count > 0 && <Badge tone="warn">{count} new</Badge>;

export function FormChoice({ forms, purpose, onChoose, onShowAll }: FormChoiceProps) {
  const counts = useSubmissionCounts();
  if (forms.length === 0) return <NoFormsMessage />;
  return (
    <Card title={`Choose a form to ${purpose}`} isFlush>
      <ul className="rows divided choices">
        {onShowAll && <ChoiceRow title="All forms" onClick={onShowAll} />}
        {forms.map(({ id, title, name, isActive }) => (
          <ChoiceRow key={id} title={title} note={name} onClick={() => onChoose(id)}>
            {counts && (
              <span className="quiet small">
                {formatCount(counts[id]?.total ?? 0, "submission")}
              </span>
            )}
            <NewBadge count={counts?.[id]?.new} />
            {!isActive && <Badge>Inactive</Badge>}
          </ChoiceRow>
        ))}
      </ul>
    </Card>
  );
}

interface ChoiceRowProps {
  readonly title: string;
  readonly note?: string | null;
  readonly onClick: () => void;
  readonly children?: ReactNode;
}

const ChoiceRow = ({ title, note, onClick, children }: ChoiceRowProps) => (
  <li>
    <button type="button" className="choice card-row row gap-12 full-width" onClick={onClick}>
      <span className="choice-text title-note grow">
        <strong>{title}</strong>
        {note && <span className="quiet small">{note}</span>}
      </span>
      {children}
      <ChevronRight size={16} className="faint" aria-hidden="true" />
    </button>
  </li>
);

function NoFormsMessage() {
  const { openForm } = useFormInUrl();
  return (
    <Card title="Forms" isFlush>
      <EmptyState
        icon={ClipboardList}
        title="No forms yet"
        action={
          <Button variant="primary" onClick={() => openForm(undefined, "forms")}>
            Create a form
          </Button>
        }
      >
        Visitors to your coaching page answer your questions one step at a time.
      </EmptyState>
    </Card>
  );
}
