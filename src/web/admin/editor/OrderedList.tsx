/** A list that the user sorts by dragging, by arrow keys or by buttons. */
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import GripVertical from "lucide-react/icons/grip-vertical";
import Pencil from "lucide-react/icons/pencil";
import Trash2 from "lucide-react/icons/trash";
import { type ReactNode, useRef } from "react";
import {
  reorderList,
  type ReorderableList,
  type ArrangedItem,
  deleteWithUndo,
  moveItem,
} from "../data/listWrites.ts";
import { IconButton } from "../../ui/IconButton.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./OrderedList.css" with { type: "text" };
import { useDragOrder, useFocusAfterEditing, useFocusAcrossMoves } from "./useOrdering.ts";

/** `<OrderedList entity="statistics" items={items} getName={…} onEdit={…}>{(item) => …}</OrderedList>` */
interface OrderedListProps<T extends ArrangedItem> extends ReorderableList<T> {
  readonly items: readonly T[];
  readonly onEdit: (item: T) => void;
  /** The question before a deletion. Default: none. */
  readonly deletionQuestion?: string | undefined;
  /** Replaces the default deletion, for items on which other items depend. */
  readonly onDelete?: ((item: T) => void) | undefined;
  readonly actions?: ((item: T) => ReactNode) | undefined;
  /** The edited item, and the form below its row. */
  readonly editedRow?: { readonly id: string; readonly form?: ReactNode } | null | undefined;
  readonly children: (item: T) => ReactNode;
}

/** A sortable list. Moves and deletions are saved at once and offer Undo. */
export function OrderedList<T extends ArrangedItem>(props: OrderedListProps<T>) {
  useStylesheet(css);
  const { items, getName, onEdit, deletionQuestion, onDelete, actions, editedRow, children } =
    props;
  const listRef = useRef<HTMLOListElement>(null);
  const ids = items.map((item) => item.id);
  const shownIds = useDragOrder(
    listRef,
    ids,
    (newIds, movedId) => void reorderList(props, newIds, movedId),
  );
  useFocusAfterEditing(listRef, shownIds, editedRow?.id);
  useFocusAcrossMoves(listRef);
  const remove = (item: T) => {
    if (onDelete) return onDelete(item);
    if (deletionQuestion === undefined || window.confirm(deletionQuestion))
      void deleteWithUndo(props.entity, item);
  };
  return (
    <ol ref={listRef} className="rows divided">
      {shownIds.map((id, index) => {
        const item = items.find((each) => each.id === id);
        if (!item) return null;
        return (
          <OrderedRow
            key={id}
            name={getName(item)}
            index={index}
            count={shownIds.length}
            onMove={(step) => moveItem(props, id, step)}
            onEdit={() => onEdit(item)}
            onDelete={() => remove(item)}
            actions={actions?.(item)}
            isOpen={editedRow?.id === id}
            form={editedRow?.id === id ? editedRow.form : undefined}
          >
            {children(item)}
          </OrderedRow>
        );
      })}
    </ol>
  );
}

/** `index` counts from 0. */
export interface MovableRow {
  readonly name: string;
  readonly index: number;
  readonly count: number;
  readonly onMove: (step: 1 | -1) => void;
}

interface OrderedRowProps extends MovableRow {
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly actions?: ReactNode;
  readonly isOpen: boolean;
  readonly form?: ReactNode;
  readonly children: ReactNode;
}

function OrderedRow(props: OrderedRowProps) {
  const { name, index, count, onMove, onEdit, onDelete, actions, isOpen, form, children } = props;
  return (
    <li className="list-row" data-open={isOpen || undefined}>
      <div className="row-line row">
        <DragHandle name={name} onMove={onMove} />
        <span className="row-number faint small">{index + 1}</span>
        <div className="row-content row cluster grow">{children}</div>
        <div className="row-actions row">
          <MoveButtons {...{ name, index, count, onMove }} />
          <span className="row-spacer" />
          <IconButton
            icon={Pencil}
            label={`Edit ${name}`}
            aria-expanded={isOpen}
            onClick={onEdit}
          />
          <IconButton icon={Trash2} label={`Delete ${name}`} onClick={onDelete} />
          {actions}
        </div>
      </div>
      {form && <InlineForm isInList>{form}</InlineForm>}
    </li>
  );
}

export function DragHandle({ name, onMove }: Pick<MovableRow, "name" | "onMove">) {
  return (
    <button
      type="button"
      className="grip"
      aria-label={`Drag to reorder ${name}`}
      aria-keyshortcuts="ArrowUp ArrowDown"
      onKeyDown={(event) => {
        const step = STEP_BY_KEY[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onMove(step);
      }}
    >
      <GripVertical size={16} aria-hidden="true" />
    </button>
  );
}

const STEP_BY_KEY: Readonly<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 };

export const MoveButtons = ({ name, index, count, onMove }: MovableRow) => (
  <>
    <IconButton
      icon={ChevronUp}
      label={`Move ${name} up`}
      isUnavailable={index === 0}
      onClick={() => onMove(-1)}
    />
    <IconButton
      icon={ChevronDown}
      label={`Move ${name} down`}
      isUnavailable={index === count - 1}
      onClick={() => onMove(1)}
    />
  </>
);

/** `isInList` is true for a form below a row: its first input gets the focus. A dialog sets the focus itself. */
interface InlineFormProps {
  readonly isInList?: boolean;
  readonly children: ReactNode;
}

export function InlineForm({ isInList = false, children }: InlineFormProps) {
  return (
    <form
      ref={isInList ? focusFirstInput : null}
      className={isInList ? "row-form" : undefined}
      noValidate
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
    </form>
  );
}

/** Focuses the form's first input. A function declared in the component would be called after each render. */
function focusFirstInput(form: HTMLFormElement | null) {
  const card = form?.closest(".card");
  if (!(document.activeElement instanceof HTMLInputElement))
    form?.querySelector<HTMLElement>("input, select, textarea")?.focus();
  return () => {
    requestAnimationFrame(() => focusAddButton(card));
  };
}

/** Focuses the Add button after a new item's form. After other forms, the row's Edit button already has the focus. */
function focusAddButton(card: Element | null | undefined): void {
  if (document.activeElement === document.body)
    card?.querySelector<HTMLElement>("[data-adds]")?.focus();
}
