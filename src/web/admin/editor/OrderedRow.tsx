/** One row of an ordered list: grip, place, what it is, moves, edit, delete. */
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import type { ReactNode } from "react";
import { IconButton } from "../parts/IconButton.tsx";
import { InlineForm } from "./InlineForm.tsx";

/** `name` is the item's in the names of its buttons; `at` counts from 0. */
export interface OrderedRowProps {
  readonly name: string;
  readonly at: number;
  readonly count: number;
  readonly onMove: (step: 1 | -1) => void;
  readonly onEdit?: (() => void) | undefined;
  readonly onDelete: () => void;
  readonly actions?: ReactNode;
  readonly isOpen: boolean;
  readonly form?: ReactNode;
  readonly children: ReactNode;
}

/** Renders the row; its actions are always visible. */
export function OrderedRow(props: OrderedRowProps) {
  const { name, at, count, onMove, onEdit, onDelete, actions, isOpen, form, children } = props;
  return (
    <li className="row" data-open={isOpen || undefined}>
      <div className="row-line">
        <button type="button" className="grip" aria-label={`Drag to reorder ${name}`} tabIndex={-1}>
          <GripVertical size={16} aria-hidden="true" />
        </button>
        <span className="row-place">{at + 1}</span>
        <div className="row-content">{children}</div>
        <div className="row-actions">
          <IconButton
            icon={ChevronUp}
            label={`Move ${name} up`}
            off={at === 0}
            onClick={() => onMove(-1)}
          />
          <IconButton
            icon={ChevronDown}
            label={`Move ${name} down`}
            off={at === count - 1}
            onClick={() => onMove(1)}
          />
          <span className="row-gap" />
          {onEdit && (
            <IconButton
              icon={Pencil}
              label={`Edit ${name}`}
              aria-expanded={isOpen}
              onClick={onEdit}
            />
          )}
          <IconButton icon={Trash2} label={`Delete ${name}`} onClick={onDelete} />
          {actions}
        </div>
      </div>
      {form && <InlineForm inList>{form}</InlineForm>}
    </li>
  );
}
