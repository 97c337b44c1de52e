/** A section's list: Add button, empty state, rows, and an item's form. */
import type { LucideIcon } from "lucide-react";
import Plus from "lucide-react/icons/plus";
import { type ComponentType, type ReactNode, useState } from "react";
import { createDeletionQuestion, type RowFields } from "../../../schema/entities/sectionTab.ts";
import { hasDisplayPeriod } from "../../../schema/entities/displayPeriod.ts";
import { type Collection, type DocumentKey, entities, type Item } from "../../../schema/index.ts";
import { type Field, type Fields, IMAGE, TEXT } from "../../../schema/kinds/fields.ts";
import { usePageContext } from "../../shared/pageContext.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { NEW_ITEM_ID, useUnsavedDrafts } from "../data/drafts.ts";
import { useEntity } from "../data/useEntity.ts";
import { Badge, Card } from "../parts/Card.tsx";
import { EmptyState } from "../parts/EmptyState.tsx";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import { ExampleList, createExamples, ExamplePicture } from "./examples.tsx";
import {
  type EditedItem,
  ItemForm,
  type ItemFormOptions,
  pickFormLabel,
  type RowsProps,
} from "../editor/ItemForm.tsx";
import { InlineForm, OrderedList } from "../editor/OrderedList.tsx";
import { DisplayPeriodBadge } from "../editor/DisplayPeriodFold.tsx";
import { ICON_BY_NAME } from "./sectionIcons.ts";
import { UrlThumbnail } from "../parts/Thumbnail.tsx";

export interface ListOptions<K extends DocumentKey> extends ItemFormOptions<K> {
  /** Returns whether the list contains an item. Default: all items. */
  readonly isListed?: (item: Item<K>) => boolean;
  /** Replaces the sortable rows, for lists that the owner doesn't sort. */
  readonly Rows?: ComponentType<RowsProps<K>>;
  /** Replaces a row's content, including the item's name. */
  readonly Row?: (item: Item<K>) => ReactNode;
  /** Returns an item's name for its buttons. `all` helps to tell apart items with the same name. */
  readonly getName?: (item: Item<K>, all: readonly Item<K>[]) => string;
}

/** Stands for the key of any list, since TypeScript can't check code with a generic key. */
export type AnyListKey = "statistics";

interface ItemListProps {
  readonly entity: AnyListKey;
  readonly options: ListOptions<AnyListKey>;
  /** The icon that an empty list shows. Default: the icon in the list's declaration. */
  readonly icon: LucideIcon | undefined;
  readonly actions: ReactNode;
}

export function ItemList(props: ItemListProps) {
  const { entity, options, actions } = props;
  const { plural, tab = {} } = entities[entity] as Collection;
  const { dialogTitles } = tab;
  const { Rows, overrideFields, findWarning } = options;
  const { listQuery, all, items, isEmpty, open, isNew, setOpen } = useEditedItem(entity, options);
  const close = () => setOpen(null);
  const form = open !== null && (
    <ItemForm
      key={open.item}
      {...{ entity, overrideFields, findWarning, ...open }}
      items={all}
      onClose={close}
    />
  );
  const addButton = (
    <AddButton
      label={tab.addLabel ?? "Add New"}
      isPrimary={isEmpty}
      isFormOpen={isNew}
      onAdd={() => setOpen({ item: NEW_ITEM_ID })}
    />
  );
  const examples = useExampleRows(entity, options);
  return (
    <Card
      title={tab.title ?? `All ${plural.toLowerCase()}`}
      note={listQuery.value && items.length}
      actions={
        <>
          {actions}
          {(!isEmpty || examples.length > 0) && addButton}
        </>
      }
      isFlush
    >
      {dialogTitles ? (
        <Dialog isOpen={open !== null} onClose={close} title={pickFormLabel(dialogTitles, isNew)}>
          <InlineForm>{form}</InlineForm>
        </Dialog>
      ) : (
        isNew && <InlineForm isInList>{form}</InlineForm>
      )}
      {isEmpty && (dialogTitles || !isNew) && <EmptyList {...props} {...{ examples, addButton }} />}
      <AsyncContent state={listQuery} subject={plural.toLowerCase()}>
        {() =>
          Rows ? (
            <Rows items={items} onEdit={setOpen} />
          ) : (
            <ItemRows
              {...{ entity, options, items }}
              editedRow={dialogTitles || open === null ? null : { id: open.item, form }}
              onEdit={(item) => setOpen(open?.item === item ? null : { item })}
            />
          )
        }
      </AsyncContent>
    </Card>
  );
}

function useEditedItem(entity: AnyListKey, { isListed }: ListOptions<AnyListKey>) {
  const listQuery = useEntity(entity);
  const allItems = listQuery.value ?? [];
  const items = isListed ? allItems.filter(isListed) : allItems;
  const [requestedItem, setEdited] = useState<EditedItem<AnyListKey> | null>(null);
  // A new item's position depends on the other items, so its form opens only after they are loaded.
  const edited = listQuery.value === undefined ? null : requestedItem;
  const isEmpty = listQuery.value !== undefined && items.length === 0;
  return {
    listQuery,
    all: allItems,
    items,
    isEmpty,
    open: edited,
    isNew: edited?.item === NEW_ITEM_ID,
    setOpen: setEdited,
  };
}

function useExampleRows(
  entity: AnyListKey,
  { Row: CustomRow }: ListOptions<AnyListKey>,
): ReactNode[] {
  const { site } = usePageContext();
  return createExamples(entity, site.name).map((item) => (
    <ExampleRow key={item.order} {...{ entity, item, CustomRow }} />
  ));
}

interface EmptyListProps extends ItemListProps {
  readonly examples: readonly ReactNode[];
  readonly addButton: ReactNode;
}

function EmptyList({ entity, icon, examples, addButton }: EmptyListProps) {
  const { plural, tab = {} } = entities[entity] as Collection;
  const emptyStateProps = { icon: icon ?? ICON_BY_NAME[tab.icon ?? "layout"], action: addButton };
  return (
    <>
      {examples.length > 0 && <ExampleList rows={examples} />}
      <EmptyState
        title={`No ${plural.toLowerCase()} yet`}
        {...(examples.length === 0 && emptyStateProps)}
      >
        {tab.emptyListHint}
      </EmptyState>
    </>
  );
}

interface AddButtonProps {
  readonly label: string;
  readonly isPrimary: boolean;
  readonly isFormOpen: boolean;
  readonly onAdd: () => void;
}

function AddButton({ label, isPrimary, isFormOpen, onAdd }: AddButtonProps) {
  return (
    <Button
      data-adds
      variant={isPrimary ? "primary" : "neutral"}
      disabled={isFormOpen}
      onClick={onAdd}
    >
      <Plus size={16} aria-hidden="true" /> {label}
    </Button>
  );
}

/** `editedRow` is the item whose form is open below its row. */
interface ItemRowsProps extends Pick<ItemListProps, "entity" | "options"> {
  readonly items: readonly Item<AnyListKey>[];
  readonly editedRow: { readonly id: string; readonly form: ReactNode } | null;
  readonly onEdit: (id: string) => void;
}

function ItemRows({ entity, options, items, editedRow, onEdit }: ItemRowsProps) {
  const { isListed, Row: renderRow = (item) => <SectionRow entity={entity} item={item} /> } =
    options;
  const collection = entities[entity] as Collection;
  const unsavedDrafts = useUnsavedDrafts().filter((each) => each.key === entity);
  return (
    <OrderedList
      entity={entity}
      items={items}
      getName={(item) => options.getName?.(item, items) ?? getItemName(entity, item)}
      isListed={isListed}
      deletionQuestion={createDeletionQuestion(collection)}
      onEdit={(item) => onEdit(item.id)}
      editedRow={editedRow}
    >
      {(item) => (
        <>
          {renderRow(item)}
          {hasDisplayPeriod(collection) && <DisplayPeriodBadge item={item} />}
          {unsavedDrafts.some((draft) => draft.item === item.id) && (
            <Badge tone="warn">Unsaved</Badge>
          )}
        </>
      )}
    </OrderedList>
  );
}

/** Returns the fields shown in a row, as declared. Default: the first image and the first two text fields. */
function findRowFields(entity: DocumentKey): RowFields {
  const { fields, tab } = entities[entity] as Collection;
  const findFieldsOfKind = (kind: Field["kind"]) =>
    Object.entries(fields as Fields).flatMap(([name, field]) => (field.kind === kind ? name : []));
  const [title, secondLine] = findFieldsOfKind(TEXT);
  const [picture] = findFieldsOfKind(IMAGE);
  return {
    ...(picture && { picture }),
    ...(title && { title }),
    ...(secondLine && { line: secondLine }),
    ...tab?.rowFields,
  };
}

type FieldValues = Readonly<Record<string, unknown>>;

const getFieldText = (item: FieldValues, name: string | undefined) =>
  String(item[name ?? ""] ?? "");

function getItemName(entity: DocumentKey, item: object): string {
  const { title } = findRowFields(entity);
  const { label } = entities[entity];
  const values = item as FieldValues;
  return (title && getFieldText(values, title)) || `${label} #${Number(values["order"]) + 1}`;
}

function SectionRow({ entity, item }: { entity: DocumentKey; item: object }) {
  const { picture, isLogo, line } = findRowFields(entity);
  const values = item as FieldValues;
  const url = getFieldText(values, picture);
  const secondLine = getFieldText(values, line);
  return (
    <>
      {url && (
        <UrlThumbnail url={url} {...(isLogo && { className: "row-picture row-logo well" })} />
      )}
      <span className="row-text title-note">
        <strong>{getItemName(entity, item)}</strong>
        {secondLine && <span className="quiet">{secondLine}</span>}
      </span>
    </>
  );
}

interface ExampleRowProps<T> {
  readonly entity: DocumentKey;
  readonly item: T;
  readonly CustomRow: ((item: T) => ReactNode) | undefined;
}

function ExampleRow<T extends object>({ entity, item, CustomRow }: ExampleRowProps<T>) {
  const { tab } = entities[entity] as Collection;
  const { picture } = CustomRow ? (tab?.rowFields ?? {}) : findRowFields(entity);
  return (
    <div className="row-content row cluster grow">
      {picture && <ExamplePicture />}
      {CustomRow ? CustomRow(item) : <SectionRow entity={entity} item={item} />}
    </div>
  );
}
