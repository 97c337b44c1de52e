/** List rows: icon, title, note, and actions at the end. */
import type { ReactNode } from "react";

export function Rows({
  label,
  children,
}: {
  readonly label?: string;
  readonly children: ReactNode;
}) {
  return (
    <ul className="divided" aria-label={label}>
      {children}
    </ul>
  );
}

interface RowProps {
  /** An icon, an avatar or a thumbnail at the start of the row. */
  readonly icon?: ReactNode;
  readonly title: ReactNode;
  readonly note?: ReactNode;
  /** More lines below the note. */
  readonly details?: ReactNode;
  readonly className?: string;
  readonly children?: ReactNode;
}

/** Example: `<Row icon={<Cloud size={18} />} title="Off-site" note="None yet"><Badge>Off</Badge></Row>` */
export function Row({ icon, title, note, details, className = "", children }: RowProps) {
  return (
    <li className={`ui-row card-row row gap-12 ${className}`}>
      {icon}
      <div className="title-note grow">
        <strong dir="auto">{title}</strong>
        {note !== undefined && <span className="quiet">{note}</span>}
        {details}
      </div>
      {children}
    </li>
  );
}

/** A circle with the first letters of a name, in place of a person's picture. */
export const Avatar = ({ name }: { name: string }) => (
  <span className="ui-avatar center quiet note" aria-hidden="true">
    {name.slice(0, 2).toUpperCase()}
  </span>
);
