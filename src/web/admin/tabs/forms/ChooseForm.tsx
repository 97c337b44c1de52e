/** Picks the form that a subtab is about. */
import { getRouteApi } from "@tanstack/react-router";
import ChevronRight from "lucide-react/icons/chevron-right";
import ClipboardList from "lucide-react/icons/clipboard-list";
import Plus from "lucide-react/icons/plus";
import type { Item } from "../../../../schema/index.ts";
import { Button } from "../../../ui/Button.tsx";
import { useCreate } from "../../data/writes.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { newForm } from "./formParts.ts";
import { submissionWords, useSubmissionCounts } from "./submissionCounts.tsx";

/** `purpose` completes "Choose a form to …". */
interface ChooseFormProps {
  readonly forms: readonly Item<"forms">[];
  readonly purpose: string;
  readonly onChoose: (id: string) => void;
}

/** Renders the forms as buttons. */
export function ChooseForm({ forms, purpose, onChoose }: ChooseFormProps) {
  const counts = useSubmissionCounts();
  return (
    <Card title={`Choose a form to ${purpose}`} flush>
      <ul className="rows choices">
        {forms.map(({ id, title, name, isActive }) => (
          <li key={id}>
            <button type="button" className="choice" onClick={() => onChoose(id)}>
              <span className="choice-words">
                <strong>{title}</strong>
                {name && <span className="quiet">{name}</span>}
              </span>
              {counts && <span className="quiet">{submissionWords(counts[id]?.total ?? 0)}</span>}
              {Boolean(counts?.[id]?.new) && <Badge tone="warn">{counts![id]!.new} new</Badge>}
              {!isActive && <Badge>Inactive</Badge>}
              <ChevronRight size={16} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}

// Adds a form with the beginnings of spec section 4.

/** `count` is how many forms there are. */
export function NewFormButton({ count, primary = false }: { count: number; primary?: boolean }) {
  const create = useCreate("forms");
  return (
    <Button
      variant={primary ? "primary" : "neutral"}
      pending={create.isPending}
      onClick={() => create.mutate(newForm(count + 1))}
    >
      <Plus size={16} aria-hidden="true" /> New Form
    </Button>
  );
}

// Stands where forms would be: what to do first.

/** Renders the empty state with its one next action. */
export function NoForms() {
  return (
    <Card title="Forms" flush>
      <EmptyState
        icon={ClipboardList}
        title="No forms yet"
        action={<NewFormButton count={0} primary />}
      >
        A form asks visitors of the coaching page a few questions, one step at a time.
      </EmptyState>
    </Card>
  );
}

// Which form the Builder and the Submissions show; it is in the address (`&form=`).

const route = getRouteApi("/admin/dashboard");

/** The subtabs of the Forms tab by their key in the address. */
type FormsSubtab = "forms" | "builder" | "submissions";

/** The id of the chosen form, and ways to choose another and to open a subtab with it. */
export function useChosenForm() {
  const { form } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (id: string | undefined, sub?: FormsSubtab) =>
    void navigate({
      search: ({ tab, sub: open }) => ({ tab, sub: sub ?? open, form: id }),
      resetScroll: false,
    });
  return { chosen: form, choose };
}
