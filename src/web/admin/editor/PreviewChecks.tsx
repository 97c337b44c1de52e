/** Plain words under a preview: readable, fits, sharp. */
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";

/** One thing looked at: `strong` is the point, `rest` and `figure` its detail. */
export interface PreviewCheck {
  readonly ok: boolean;
  readonly strong: string;
  readonly rest?: string;
  readonly figure?: string;
}

/** Renders the list; nothing when there is nothing to say. */
export function PreviewChecks({ checks }: { checks: readonly PreviewCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className="checks">
      {checks.map(({ ok, strong, rest, figure }) => (
        <li key={`${strong} ${rest}`} data-ok={ok}>
          {ok ? (
            <CircleCheck size={16} aria-hidden="true" />
          ) : (
            <TriangleAlert size={16} aria-hidden="true" />
          )}
          <span>
            <strong>{strong}</strong> {rest}
          </span>
          {figure && <span className="check-figure">{figure}</span>}
        </li>
      ))}
    </ul>
  );
}
