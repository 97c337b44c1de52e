/** The box that everything stands in: title, quiet note, actions at the right. */
import type { ReactNode } from "react";

/** `flush` leaves out the padding, for rows and previews. */
export interface CardProps {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly flush?: boolean;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** Renders the card. */
export function Card({ title, note, actions, flush = false, className = "", children }: CardProps) {
  return (
    <section className={`card ${className}`}>
      <header className="card-head">
        <h3>{title}</h3>
        {note !== undefined && <span className="card-note">{note}</span>}
        {actions && <div className="card-actions">{actions}</div>}
      </header>
      <div className={flush ? "card-flush" : "card-body"}>{children}</div>
    </section>
  );
}
