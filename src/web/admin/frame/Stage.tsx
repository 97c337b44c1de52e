/** The stage that login and setup stand on: one light from above, one card. */
import type { ReactNode } from "react";
import { Brand } from "./Brand.tsx";

/** `title` heads the card, `note` says what it is for. */
export interface StageProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
  /** Stands under the card. */
  readonly foot?: ReactNode;
}

/** Renders the stage. */
export function Stage({ title, note, children, foot }: StageProps) {
  return (
    <main className="stage">
      <Brand />
      <div className="stage-card">
        <h1>{title}</h1>
        <p>{note}</p>
        {children}
      </div>
      {foot}
    </main>
  );
}
