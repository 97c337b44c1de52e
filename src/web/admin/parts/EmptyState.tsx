/** What an empty list shows: what is missing, what to do, and a button. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  readonly icon?: LucideIcon | undefined;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="empty stack gap-4">
      {Icon && (
        <span className="empty-icon well center quiet">
          <Icon size={20} aria-hidden="true" />
        </span>
      )}
      <strong>{title}</strong>
      {children && <p className="empty-help quiet small">{children}</p>}
      {action}
    </div>
  );
}
