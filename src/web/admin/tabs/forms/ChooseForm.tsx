/** Picks the form that a subtab is about. */
import ChevronRight from "lucide-react/icons/chevron-right";
import type { Item } from "../../../../schema/index.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Card } from "../../parts/Card.tsx";
import { submissionWords, useSubmissionCounts } from "./submissionCounts.ts";

/** `purpose` completes "Choose a form to …". */
export interface ChooseFormProps {
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
