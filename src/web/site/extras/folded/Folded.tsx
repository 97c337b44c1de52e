/** What of a list is behind a press: all of it stands in the page, and no script opens it. */
import type { ReactNode } from "react";

interface FoldedProps {
  readonly title: string;
  /** That of the title. */
  readonly lang: string | undefined;
  readonly children: ReactNode;
}

export function Folded({ title, lang, children }: FoldedProps) {
  return (
    <details className="more">
      <summary lang={lang}>{title}</summary>
      {children}
    </details>
  );
}
