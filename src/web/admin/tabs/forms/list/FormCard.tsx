/** One form: what it is called, whether visitors see it, the ways to its builder and its answers. */
import { format } from "date-fns";
import Inbox from "lucide-react/icons/inbox";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import type { Item } from "../../../../../schema/index.ts";
import { Button } from "../../../../ui/Button.tsx";
import { IconButton } from "../../../parts/IconButton.tsx";
import { useUpdate } from "../../../queries/mutations.ts";
import { ActiveBadge } from "../ActiveBadge.tsx";
import { formBody } from "../bodies.ts";
import { submissionWords, useSubmissionCount } from "../submissionCounts.ts";
import { useChosenForm } from "../useChosenForm.ts";

/** `isShown`: visitors get this one. */
export interface FormCardProps {
  readonly form: Item<"forms">;
  readonly isShown: boolean;
  readonly onDelete: () => void;
}

/** Renders the card. */
export function FormCard({ form, isShown, onDelete }: FormCardProps) {
  const { id, title, name, subtitle, isActive, createdAt } = form;
  const { choose } = useChosenForm();
  const update = useUpdate("forms");
  const count = useSubmissionCount(id);
  const toggle = () => update.mutate({ id, ...formBody({ ...form, isActive: !isActive }) });
  return (
    <li className="card form-card">
      <div className="form-card-head">
        <h3>{title}</h3>
        <ActiveBadge name={title} active={isActive} pending={update.isPending} onToggle={toggle} />
      </div>
      {subtitle && <p className="form-card-subtitle">{subtitle}</p>}
      <p className="quiet form-card-meta">
        {name && <span>{name}</span>}
        {createdAt && <span>Created {format(createdAt, "MMM d, yyyy")}</span>}
        {isShown && <span>Shown on the coaching page</span>}
      </p>
      <div className="form-card-actions">
        <Button variant="quiet" onClick={() => choose(id, "submissions")}>
          <Inbox size={16} aria-hidden="true" /> {submissionWords(count.total)}
          {count.new > 0 && <span className="segment-note">{count.new} new</span>}
        </Button>
        <span className="row-gap" />
        <IconButton icon={Pencil} label={`Edit ${title}`} onClick={() => choose(id, "builder")} />
        <IconButton icon={Trash2} label={`Delete ${title}`} onClick={onDelete} />
      </div>
    </li>
  );
}
