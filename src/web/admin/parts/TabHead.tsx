/** The head of a tab: its name, what it is, its actions at the right. */
import type { ReactNode } from "react";

/** `<TabHead title="Hero" note="The first thing visitors see.">…buttons…</TabHead>` */
export interface TabHeadProps {
  readonly title: string;
  readonly note?: string;
  readonly children?: ReactNode;
}

/** Renders the head. */
export function TabHead({ title, note, children }: TabHeadProps) {
  return (
    <header className="tab-head">
      <div className="tab-title">
        <h2>{title}</h2>
        {note && <p>{note}</p>}
      </div>
      {children && <div className="tab-actions">{children}</div>}
    </header>
  );
}
