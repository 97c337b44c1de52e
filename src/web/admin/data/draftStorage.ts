/**
 * Stores drafts in the browser's local storage, each under its own key. All windows of this browser share the drafts.
 */
import { entities } from "../../../schema/index.ts";
import { toStoredDraft, drafts, type DraftState } from "./drafts.ts";

export const DRAFT_KEY_PREFIX = "limelight:draft:";

let isStorageAvailable = true;

/** Returns false if the browser refused to store some of the unsaved drafts. */
export const canStoreDrafts = () => isStorageAvailable;

/** The stored texts that this window has last written or read, by draft id. Unchanged texts aren't written again. */
export const storedTexts = new Map<string, string>();

/**
 * Stores unsaved drafts, so that they survive a closed tab. Deletes stored drafts that are no longer unsaved. If the
 * storage is full or not permitted, some drafts aren't stored.
 */
export function storeDrafts(unsaved: readonly DraftState[]): void {
  const texts = new Map(unsaved.map((draft) => [draft.id, encodeDraft(draft)]));
  try {
    for (const id of storedTexts.keys())
      if (!texts.has(id)) {
        localStorage.removeItem(DRAFT_KEY_PREFIX + id);
        storedTexts.delete(id);
      }
    for (const [id, text] of texts)
      if (storedTexts.get(id) !== text) {
        localStorage.setItem(DRAFT_KEY_PREFIX + id, text);
        storedTexts.set(id, text);
      }
    isStorageAvailable = true;
  } catch {
    isStorageAvailable = unsaved.length === 0;
    // The drafts are only in memory now, so the browser asks before the user leaves the page.
  }
}

type StoredDraft = Omit<DraftState, "label"> & { readonly name: string };

/** Returns the stored drafts by id. Empty if the browser doesn't permit access to the storage. */
export function loadDrafts(): Record<string, DraftState> {
  const loaded: Record<string, DraftState> = {};
  try {
    for (const storageKey of listStorageKeys()) {
      const text = localStorage.getItem(storageKey);
      const draft = text === null ? undefined : parseDraft(text);
      if (text === null || !draft) continue;
      storedTexts.set(draft.id, text);
      loaded[draft.id] = draft;
    }
  } catch {
    // Without access to the storage, there are no stored drafts.
  }
  return loaded;
}

const listStorageKeys = () =>
  Object.keys(localStorage).filter((key) => key.startsWith(DRAFT_KEY_PREFIX));

/** Encodes a draft for storage. In the stored JSON, the property `label` is called `name`. */
function encodeDraft(draft: DraftState): string {
  const { label: name, ...stored } = toStoredDraft(draft);
  return JSON.stringify({ ...stored, name });
}

/**
 * Decodes a stored draft. Returns undefined for a draft that this release can't read; the draft stays stored for the
 * release that wrote it.
 */
export function parseDraft(text: string): DraftState | undefined {
  try {
    const { name: label, ...stored } = JSON.parse(text) as StoredDraft;
    const draft: DraftState = { ...stored, label };
    const isComplete = typeof label === "string" && Object.keys(draft.changes).length > 0;
    return isComplete && isDeclaredEntity(draft) ? toStoredDraft(draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this release has the draft's entity. The draft may have been stored by another release. */
const isDeclaredEntity = ({ key }: DraftState): boolean => Object.hasOwn(entities, key);

/** Deletes all drafts, even stored ones that this release can't read. */
export function deleteAllDrafts(): void {
  drafts.value = {};
  try {
    for (const storageKey of listStorageKeys()) localStorage.removeItem(storageKey);
  } catch {
    // Without access to the storage, there is nothing to delete.
  }
}
