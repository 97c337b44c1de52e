/** The building blocks of tabs: tab heads, cards, badges. */
import type { ReactNode } from "react";

interface TabHeadProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly children?: ReactNode;
}

export function TabHead({ title, note, children }: TabHeadProps) {
  return (
    <header className="tab-head row cluster">
      <div className="tab-title cluster">
        <h2>{title}</h2>
        {note && <p className="quiet small desktop-only">{note}</p>}
      </div>
      {children && <div className="tab-actions row cluster">{children}</div>}
    </header>
  );
}

/** `isFlush` removes the padding, for rows or a preview. */
interface CardProps {
  readonly title: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly isFlush?: boolean;
  readonly className?: string;
  readonly children?: ReactNode;
}

export function Card({
  title,
  note,
  actions,
  isFlush = false,
  className = "",
  children,
}: CardProps) {
  return (
    <section className={`card ${className}`}>
      <header className="card-head row cluster border-bottom">
        <div className="card-title cluster">
          <h3>{title}</h3>
          {note !== undefined && <span className="faint small">{note}</span>}
        </div>
        {actions && <div className="card-actions row cluster">{actions}</div>}
      </header>
      <div className={isFlush ? undefined : "card-body"}>{children}</div>
    </section>
  );
}

/** The tones: amber (warn) for new, green (ok) for active, red (bad) for failed, blue (info) for archived. */
interface BadgeProps {
  readonly tone?: "neutral" | "warn" | "ok" | "bad" | "info";
  readonly hasDot?: boolean;
  readonly children: ReactNode;
}

/** The dot tells people who can't see colors that the badge isn't neutral. */
export function Badge({ tone = "neutral", hasDot = tone !== "neutral", children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone === "neutral" ? undefined : tone}>
      {hasDot && <span className="dot" />}
      {children}
    </span>
  );
}
