/** A collapsible group of a form's rarely needed fields. `note` summarizes the fields. */
import type { ReactNode } from "react";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./Fold.css" with { type: "text" };

interface FoldProps {
  readonly title: string;
  readonly note?: string | undefined;
  readonly isOpen?: boolean;
  readonly children: ReactNode;
}

export function Fold({ title, note, isOpen = false, children }: FoldProps) {
  useStylesheet(css);
  return (
    <details className="form-fold border-top" open={isOpen || undefined}>
      <summary className="row small">
        <b>{title}</b>
        {note && <span className="quiet">{note}</span>}
      </summary>
      {children}
    </details>
  );
}

export function FieldRow({ children }: { readonly children: ReactNode }) {
  return <div className="split gap-16 align-start">{children}</div>;
}
