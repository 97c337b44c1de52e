/** A folded part of a list. The page contains all of it, and it opens without scripts. */
import type { ReactNode } from "react";

interface FoldedContentProps {
  readonly title: string;
  /** The title's language. */
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
