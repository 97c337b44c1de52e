/** A list that the owner arranges: by the grip, or by buttons for keyboards and thumbs. */
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useRef } from "react";
import {
  arrange,
  type Arranged,
  type ArrangedItem,
  deleteWithUndo,
  moveBy,
} from "../data/listWrites.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useSheet } from "../parts/useSheet.ts";
import css from "./OrderedList.css" with { type: "text" };
import { useDragOrder, useFocusAfterEditing, useKeptFocus } from "./useOrdering.ts";

/** `<OrderedList entity="statistics" items={items} nameOf={…} onEdit={…}>{(item) => …}</OrderedList>` */
interface OrderedListProps<T extends ArrangedItem> extends Arranged<T> {
  readonly items: readonly T[];
  readonly onEdit?: ((item: T) => void) | undefined;
  /** Asked by the browser before deleting; nothing is asked without it. */
  readonly confirmDelete?: string | undefined;
  /** In the place of deleting with Undo, where more goes with the item. */
  readonly onDelete?: ((item: T) => void) | undefined;
  /** Further buttons at the end of a row. */
  readonly actions?: ((item: T) => ReactNode) | undefined;
  /** The item being edited, and the form that opens under its row. */
  readonly editing?: { readonly id: string; readonly form?: ReactNode } | null | undefined;
  readonly children: (item: T) => ReactNode;
}

/** Moves and deletions save at once and offer Undo. */
export function OrderedList<T extends ArrangedItem>(props: OrderedListProps<T>) {
  useSheet(css);
  const { items, nameOf, onEdit, confirmDelete, onDelete, actions, editing, children } = props;
  const ref = useRef<HTMLOListElement>(null);
  const ids = items.map((item) => item.id);
  const shown = useDragOrder(ref, ids, (next, moved) => void arrange(props, next, moved));
  useFocusAfterEditing(ref, shown, editing?.id);
  useKeptFocus(ref);
  const remove = (item: T) => {
    if (onDelete) return onDelete(item);
    if (confirmDelete === undefined || window.confirm(confirmDelete))
      void deleteWithUndo(props.entity, item);
  };
  return (
    <ol ref={ref} className="rows">
      {shown.map((id, at) => {
        const item = items.find((each) => each.id === id);
        if (!item) return null;
        return (
          <OrderedRow
            key={id}
            name={nameOf(item)}
            at={at}
            count={shown.length}
            onMove={(step) => moveBy(props, id, step)}
            onEdit={onEdit && (() => onEdit(item))}
            onDelete={() => remove(item)}
            actions={actions?.(item)}
            isOpen={editing?.id === id}
            form={editing?.id === id ? editing.form : undefined}
          >
            {children(item)}
          </OrderedRow>
        );
      })}
    </ol>
  );
}

/** `name` is the item's in the names of its buttons; `at` counts from 0. */
interface OrderedRowProps {
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

/** Where arrow keys on a grip move its row. */
const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

/** Grip, place, what it is, moves, edit, delete; its actions are always visible. */
function OrderedRow(props: OrderedRowProps) {
  const { name, at, count, onMove, onEdit, onDelete, actions, isOpen, form, children } = props;
  return (
    <li className="row" data-open={isOpen || undefined}>
      <div className="row-line">
        <button
          type="button"
          className="grip"
          aria-label={`Drag to reorder ${name}`}
          aria-keyshortcuts="ArrowUp ArrowDown"
          onKeyDown={(event) => {
            const step = STEPS[event.key];
            if (step === undefined) return;
            event.preventDefault();
            onMove(step);
          }}
        >
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

/** `inList`: it stands among the rows; a dialog takes care of the focus itself. */
interface InlineFormProps {
  readonly inList?: boolean;
  readonly children: ReactNode;
}

/** Enter in it presses its button of type "submit"; the focus goes into it when it opens in its list. */
export function InlineForm({ inList = false, children }: InlineFormProps) {
  return (
    <form
      ref={inList ? focusFirst : null}
      className={inList ? "row-form" : undefined}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
    </form>
  );
}

/** Kept stable, so that it runs when the form appears and not while somebody types. */
function focusFirst(form: HTMLFormElement | null) {
  const card = form?.closest(".card");
  if (!(document.activeElement instanceof HTMLInputElement))
    form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  return () => {
    requestAnimationFrame(() => focusAdd(card));
  };
}

/** The button that opened the form was off while it was open; rows give the focus back themselves. */
function focusAdd(card: Element | null | undefined): void {
  if (document.activeElement === document.body)
    card?.querySelector<HTMLElement>("[data-adds]")?.focus();
}
