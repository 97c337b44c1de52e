/** The page of the login, the setup and one-time links: a dark stage with one card. */
import type { ReactNode } from "react";

interface StageProps {
  readonly title: string;
  readonly note: string;
  readonly children?: ReactNode;
  readonly foot?: ReactNode;
}

export function StagePage({ title, note, children, foot }: StageProps) {
  return (
    <main className="stage">
      <BrandLogo />
      <div className="stage-card full-width">
        <h1>{title}</h1>
        <p className="quiet mb-16">{note}</p>
        {children}
      </div>
      {foot}
    </main>
  );
}

/** Limelight's name and logo, a beam of light on a stage. */
export function BrandLogo() {
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
