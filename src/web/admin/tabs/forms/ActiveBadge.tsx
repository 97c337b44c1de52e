/** Active or Inactive; pressing it makes it the other (spec section 4, "Form and step isActive"). */
import { Badge } from "../../parts/Card.tsx";

/** `name` is the form's or the step's. */
export interface ActiveBadgeProps {
  readonly name: string;
  readonly active: boolean;
  readonly pending?: boolean;
  readonly onToggle: () => void;
}

/** Renders the badge as a button. */
export function ActiveBadge({ name, active, pending = false, onToggle }: ActiveBadgeProps) {
  const words = active ? "Active" : "Inactive";
  return (
    <button
      type="button"
      className="badge-button"
      aria-label={`${words}: ${name}`}
      aria-busy={pending || undefined}
      title={active ? "Make inactive" : "Make active"}
      onClick={pending ? undefined : onToggle}
    >
      <Badge tone={active ? "ok" : "neutral"} dot>
        {words}
      </Badge>
    </button>
  );
}
