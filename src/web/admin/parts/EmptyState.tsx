/** A list without items: what is so, one line of help, the one next action. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** `action` is usually one primary Button. */
interface EmptyStateProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon size={20} aria-hidden="true" />
      </span>
      <p className="empty-title">{title}</p>
      {children && <p className="empty-help">{children}</p>}
      {action}
    </div>
  );
}
