/** The folded part of a list. The page contains the whole list, which opens without scripts. */
import type { ReactNode } from "react";

interface FoldedContentProps {
  readonly title: string;
  /** The language of the title; undefined if it is the page's. */
  readonly lang: string | undefined;
  readonly children: ReactNode;
}

export function FoldedContent({ title, lang, children }: FoldedContentProps) {
  return (
    <details className="more">
      <summary lang={lang}>{title}</summary>
      {children}
    </details>
  );
}
