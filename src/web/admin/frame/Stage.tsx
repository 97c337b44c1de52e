/** The background of login and setup: a stage with one light and one card. */
import type { ReactNode } from "react";

/** `title` heads the card, `note` explains it. */
interface StageProps {
  readonly title: string;
  readonly note: string;
  readonly children?: ReactNode;
  /** Below the card. */
  readonly foot?: ReactNode;
}

export function Stage({ title, note, children, foot }: StageProps) {
  return (
    <main className="stage">
      <Brand />
      <div className="stage-card full-width">
        <h1>{title}</h1>
        <p className="quiet mb-16">{note}</p>
        {children}
      </div>
      {foot}
    </main>
  );
}

/** Limelight's logo, a beam of light on a stage, and its name. */
export function Brand() {
  return (
    <strong className="brand row">
      <svg viewBox="0 0 26 26" width="26" height="26" aria-hidden="true">
        <rect width="26" height="26" rx="6" fill="#1d2126" />
        <path d="M12 3h2l5 17H7z" fill="#f1f3f5" opacity=".85" />
        <ellipse cx="13" cy="20.5" rx="9" ry="2.5" fill="#f1f3f5" />
      </svg>
      Limelight
    </strong>
  );
}
