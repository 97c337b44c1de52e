/** Describes the changes between two states of an entity for its owner (specification, section 4.12). */
import { type Entity, getEntityFields, type StoredItem } from "./entity.ts";
import type { Field, Fields } from "../kinds/fields.ts";

/** The maximum number of lines in a description. With more changes, the last line only counts the remaining ones. */
const MAX_DESCRIBED_CHANGES = 6;
/** The longest text that a description quotes, in characters. For longer texts it gives the number of changed words. */
const MAX_QUOTED_LENGTH = 60;

type Values = Readonly<Record<string, unknown>>;

/** Returns one line per change, such as `Main Title: "Old" → "New"`. Empty if nothing that owners see has changed. */
export function describeChanges(entity: Entity, before: unknown, after: unknown): string[] {
  const lines =
    entity.shape === "collection"
      ? describeListChanges(entity, before as StoredItem[], after as StoredItem[])
      : describeValueChanges(getEntityFields(entity), before as Values, after as Values);
  if (lines.length <= MAX_DESCRIBED_CHANGES) return lines;
  return [
    ...lines.slice(0, MAX_DESCRIBED_CHANGES - 1),
    `and ${lines.length - MAX_DESCRIBED_CHANGES + 1} more`,
  ];
}

function describeValueChanges(fields: Fields, before: Values, after: Values): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.setBy === "client" && !isSameValue(before[name], after[name])
      ? describeFieldChange(field, before[name], after[name])
      : [],
  );
}

function describeFieldChange(field: Field, before: unknown, after: unknown): string {
  const { kind, label } = field;
  const description = kind.describeChange?.(label, before, after);
  if (description !== undefined) return description;
  const [oldText, newText] = [formatFieldValue(field, before), formatFieldValue(field, after)];
  if (oldText === undefined || newText === undefined) return `${label} changed`;
  if (oldText === "" && newText === "") return `${label} changed`;
  if (newText === "") return `${label} removed`;
  if (oldText.length > MAX_QUOTED_LENGTH || newText.length > MAX_QUOTED_LENGTH || kind.isHtml)
    return oldText === "" ? `${label} added` : describeWordChange(label, oldText, newText);
  return oldText === "" ? `${label}: "${newText}"` : `${label}: "${oldText}" → "${newText}"`;
}

/** Returns a field's value as text, rich text without formatting. Undefined for values other than texts and numbers. */
export function formatFieldValue({ kind, choices }: Field, value: unknown): string | undefined {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return undefined;
  const text = kind.formatText?.(value) ?? value;
  return choices?.find((choice) => choice.value === value)?.label ?? text.trim();
}

function describeWordChange(label: string, before: string, after: string): string {
  const count = countWordChanges(before.split(/\s+/), after.split(/\s+/));
  if (count === 0) return `${label}: formatting changed`;
  return `${label}: ${count === 1 ? "1 word" : `${count} words`} changed`;
}

const isSameWord = (one: string | undefined, other: string | undefined) =>
  one !== undefined && one === other;

/** Returns the number of added or of removed words, whichever is larger; 1 if words were only moved. */
function countWordChanges(before: readonly string[], after: readonly string[]): number {
  let prefixLength = 0;
  while (isSameWord(before[prefixLength], after[prefixLength])) prefixLength++;
  let suffixLength = 0;
  while (
    suffixLength < Math.min(before.length, after.length) - prefixLength &&
    isSameWord(before[before.length - 1 - suffixLength], after[after.length - 1 - suffixLength])
  )
    suffixLength++;
  const [removed, added] = [
    before.slice(prefixLength, before.length - suffixLength),
    after.slice(prefixLength, after.length - suffixLength),
  ];
  const removedCounts = new Map<string, number>();
  for (const word of removed) removedCounts.set(word, (removedCounts.get(word) ?? 0) + 1);
  let commonCount = 0;
  for (const word of added) {
    const count = removedCounts.get(word) ?? 0;
    if (count === 0) continue;
    removedCounts.set(word, count - 1);
    commonCount++;
  }
  const changedCount = Math.max(removed.length, added.length) - commonCount;
  return changedCount === 0 && removed.length > 0 ? 1 : changedCount;
}

function describeListChanges(
  entity: Entity & { readonly shape: "collection" },
  before: readonly StoredItem[],
  after: readonly StoredItem[],
): string[] {
  const itemsBefore = new Map(before.map((item) => [item.id, item]));
  const idsAfter = new Set(after.map(({ id }) => id));
  const orderField = entity.arrangement?.field;
  const fields = Object.fromEntries(
    Object.entries(getEntityFields(entity)).filter(([name]) => name !== orderField),
  );
  const changed = after.flatMap((item) => {
    const itemBefore = itemsBefore.get(item.id);
    if (!itemBefore) return `Added "${getItemTitle(entity, item)}"`;
    return describeValueChanges(fields, itemBefore, item).map(
      (line) => `"${getItemTitle(entity, item)}": ${line}`,
    );
  });
  const deleted = before
    .filter(({ id }) => !idsAfter.has(id))
    .map((item) => `Deleted "${getItemTitle(entity, item)}"`);
  const lines = [...changed, ...deleted];
  const isReordered =
    orderField !== undefined &&
    after.some(
      (item) =>
        itemsBefore.has(item.id) && itemsBefore.get(item.id)?.[orderField] !== item[orderField],
    );
  return isReordered && lines.length === 0 ? ["Reordered"] : lines;
}

const NAME_FIELDS = ["title", "name", "displayText", "label", "originalName", "email"];

/** Returns the displayed name of an item: the first text in one of `NAME_FIELDS`, else the entity's label. */
export function getItemTitle({ label }: { readonly label: string }, item: Values): string {
  const itemName = NAME_FIELDS.map((name) => item[name]).find(
    (text) => typeof text === "string" && text,
  );
  return (itemName as string | undefined) ?? label;
}

function isSameValue(one: unknown, other: unknown): boolean {
  return (one ?? null) === (other ?? null) || JSON.stringify(one) === JSON.stringify(other);
}
