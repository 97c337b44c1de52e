/** Stores drafts on this device, one key each, shared by all windows of this browser. */
import { entities } from "../../../schema/index.ts";
import { toStoredDraft, drafts, type DraftState } from "./drafts.ts";

/** The prefix of a draft's key in local storage. */
export const DRAFT_KEY_PREFIX = "limelight:draft:";

/** Release 0.1 stored them all under one key. */
const COMBINED_DRAFTS_KEY = "limelight:drafts";

let isStorageAvailable = true;

/** False if this browser couldn't store the input. */
export const canStoreDrafts = () => isStorageAvailable;

/** The drafts stored as far as this window has written or read them, by id: only changes are written. */
export const storedTexts = new Map<string, string>();

/** Stores drafts against a closed tab or an empty battery; without room or permission fewer are stored. */
export function storeDrafts(unsaved: readonly DraftState[]): void {
  const texts = new Map(unsaved.map((draft) => [draft.id, JSON.stringify(toStoredDraft(draft))]));
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
    // The drafts are only in this page's memory; leaving it asks first.
  }
}

/** The drafts of an earlier visit, by id; none if they can't be read. */
export function loadDrafts(): Record<string, DraftState> {
  const loaded: Record<string, DraftState> = {};
  try {
    splitCombinedDrafts();
    for (const name of listStoredNames()) {
      const text = localStorage.getItem(name);
      const draft = text === null ? undefined : parseDraft(text);
      if (text === null || !draft) continue;
      storedTexts.set(draft.id, text);
      loaded[draft.id] = draft;
    }
  } catch {
    // A browser without access to storage has stored nothing.
  }
  return loaded;
}

const listStoredNames = () =>
  Object.keys(localStorage).filter((name) => name.startsWith(DRAFT_KEY_PREFIX));

function splitCombinedDrafts(): void {
  const together = localStorage.getItem(COMBINED_DRAFTS_KEY);
  if (!together) return;
  for (const draft of JSON.parse(together) as DraftState[])
    localStorage.setItem(DRAFT_KEY_PREFIX + draft.id, JSON.stringify(draft));
  localStorage.removeItem(COMBINED_DRAFTS_KEY);
}

/**
 * A stored draft; undefined for one that this release can't read, which remains stored for the release that
 * wrote it.
 */
export function parseDraft(text: string): DraftState | undefined {
  try {
    const draft = JSON.parse(text) as DraftState;
    const isWhole = typeof draft.name === "string" && Object.keys(draft.changes).length > 0;
    return isWhole && isDeclaredEntity(draft) ? toStoredDraft(draft) : undefined;
  } catch {
    return undefined;
  }
}

/** Another release may declare more entities. */
const isDeclaredEntity = ({ key }: DraftState): boolean => Object.hasOwn(entities, key);

/** Removes all drafts from this device, also those of other releases. */
export function deleteDrafts(): void {
  drafts.value = {};
  try {
    for (const name of listStoredNames()) localStorage.removeItem(name);
  } catch {
    // Nothing was stored.
  }
}
