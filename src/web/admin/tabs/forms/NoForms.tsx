/** Stands where forms would be: what to do first. */
import ClipboardList from "lucide-react/icons/clipboard-list";
import { Card } from "../../parts/Card.tsx";
import { EmptyState } from "../../parts/EmptyState.tsx";
import { NewFormButton } from "./NewFormButton.tsx";

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
