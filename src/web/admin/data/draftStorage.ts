/** Stores drafts in the browser's local storage, which all windows of this browser share. */
import { entities } from "../../../schema/index.ts";
import { toStoredDraft, drafts, type DraftState } from "./drafts.ts";

export const DRAFT_KEY_PREFIX = "limelight:draft:";

let isStorageAvailable = true;

/** Returns false if the browser refused to store some of the unsaved drafts. */
export const canStoreDrafts = () => isStorageAvailable;

/** The texts that this window last wrote or read, by draft id. Unchanged texts aren't written again. */
export const storedTexts = new Map<string, string>();

/** Stores unsaved drafts, and deletes stored drafts that are no longer unsaved. */
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
    // The drafts are only in memory now, so the browser will ask before the page is closed.
  }
}

type StoredDraft = Omit<DraftState, "label"> & { readonly name: string };

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

/** In the stored JSON, `label` is called `name`. */
function encodeDraft(draft: DraftState): string {
  const { label: name, ...stored } = toStoredDraft(draft);
  return JSON.stringify({ ...stored, name });
}

/** Returns undefined for a draft that this release can't read. It stays stored for the release that wrote it. */
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

/** Whether this release has the draft's entity. */
const isDeclaredEntity = ({ key }: DraftState): boolean => Object.hasOwn(entities, key);

/** Deletes all drafts, even those that this release can't read. */
export function deleteAllDrafts(): void {
  drafts.value = {};
  try {
    for (const storageKey of listStorageKeys()) localStorage.removeItem(storageKey);
  } catch {
    // Without access to the storage, there is nothing to delete.
  }
}
