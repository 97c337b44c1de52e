/** A row of a section's list: picture, name and a second line. */
import type { ReactNode } from "react";
import { type Field, type Fields, IMAGE, TEXT } from "../../../schema/kinds/fields.ts";
import { type Collection, type DocumentKey, entities } from "../../../schema/index.ts";
import type { RowFields } from "../../../schema/entities/sectionTab.ts";
import { ExamplePicture } from "./examples.tsx";
import { UploadPicture } from "../parts/UploadPicture.tsx";

/** As declared. Default: the first image and the first two text fields. */
function findRowFields(entity: DocumentKey): RowFields {
  const { fields, tab } = entities[entity] as Collection;
  const named = (kind: Field["kind"]) =>
    Object.entries(fields as Fields).flatMap(([name, field]) => (field.kind === kind ? name : []));
  const [title, line] = named(TEXT);
  const [picture] = named(IMAGE);
  return {
    ...(picture && { picture }),
    ...(title && { title }),
    ...(line && { line }),
    ...tab?.rowFields,
  };
}

type Values = Readonly<Record<string, unknown>>;

const readItemText = (item: Values, name: string | undefined) => String(item[name ?? ""] ?? "");

/** An item's name in its buttons. */
export function rowName(entity: DocumentKey, item: object): string {
  const { title } = findRowFields(entity);
  const { label } = entities[entity];
  const values = item as Values;
  return (title && readItemText(values, title)) || `${label} #${Number(values["order"]) + 1}`;
}

export function SectionRow({ entity, item }: { entity: DocumentKey; item: object }) {
  const { picture, isLogo, line } = findRowFields(entity);
  const values = item as Values;
  const url = readItemText(values, picture);
  const more = readItemText(values, line);
  return (
    <>
      {url && (
        <UploadPicture url={url} {...(isLogo && { className: "row-picture row-logo well" })} />
      )}
      <span className="row-text title-note">
        <strong>{rowName(entity, item)}</strong>
        {more && <span className="quiet">{more}</span>}
      </span>
    </>
  );
}

interface ExampleRowProps<T> {
  readonly entity: DocumentKey;
  readonly item: T;
  /** Replaces the content of this list's rows. */
  readonly CustomRow: ((item: T) => ReactNode) | undefined;
}

/** Has a placeholder for the picture, if rows of this list have pictures. */
export function ExampleRow<T extends object>({ entity, item, CustomRow }: ExampleRowProps<T>) {
  const { tab } = entities[entity] as Collection;
  const { picture } = CustomRow ? (tab?.rowFields ?? {}) : findRowFields(entity);
  return (
    <div className="row-content row cluster grow">
      {picture && <ExamplePicture />}
      {CustomRow ? CustomRow(item) : <SectionRow entity={entity} item={item} />}
    </div>
  );
}
