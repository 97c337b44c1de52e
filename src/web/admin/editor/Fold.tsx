/** What few need of a form, behind a press; closed it says what is in it. */
import type { ReactNode } from "react";
import { useSheet } from "../parts/useSheet.ts";
import css from "./Fold.css" with { type: "text" };

interface FoldProps {
  readonly title: string;
  /** Beside the title. */
  readonly note?: string | undefined;
  /** Something in it is to be seen. */
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

export function Fold({ title, note, isOpen = false, children }: FoldProps) {
  useSheet(css);
  return (
    <details className="form-fold" open={isOpen || undefined}>
      <summary>
        <b>{title}</b>
        {note && <span className="quiet">{note}</span>}
      </summary>
      {children}
    </details>
  );
}

/** Two fields side by side where there is room. */
export function FieldPair({ children }: { readonly children: ReactNode }) {
  useSheet(css);
  return <div className="fields form-pair">{children}</div>;
}
