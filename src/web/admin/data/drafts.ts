/** What was typed and is not saved yet: kept beside the tabs, and on this device until it is saved. */
import { effect, signal } from "@preact/signals-react";
import type { DocumentKey } from "../../../schema/index.ts";

// Drafts in the browser's own storage: a closed tab or an empty battery loses nothing.

const PLACE = "limelight:drafts";

/** Keeps what is unsaved; a browser without room or permission just keeps less. */
function keepDrafts(drafts: readonly DraftState[]): void {
  const unsaved = drafts.filter((draft) => Object.keys(draft.changes).length > 0);
  try {
    if (unsaved.length === 0) localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, JSON.stringify(unsaved));
  } catch {
    // The drafts still live in this page; leaving it asks first.
  }
}

/** The drafts of an earlier visit, by id; nothing when there are none or they can't be read. */
function keptDrafts(): Record<string, DraftState> {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE) ?? "[]") as DraftState[];
    return Object.fromEntries(kept.map((draft) => [draft.id, atRest(draft)]));
  } catch {
    return {};
  }
}

function atRest(draft: DraftState): DraftState {
  const { theirs: _, ...rest } = draft;
  return { ...rest, phase: "unsaved", reason: "", errors: {} };
}

/** The item id of a draft that is not in its list yet. */
export const NEW = "new";

/** Where a draft stands. */
export type Phase = "clean" | "unsaved" | "saving" | "saved" | "failed" | "conflict";

/** One draft: the fields that differ from what is stored, and how saving them went. */
export interface DraftState {
  readonly id: string;
  readonly key: DocumentKey;
  /** The item's id in a list, or NEW; missing for a singleton. */
  readonly item?: string;
  /** The list it is in, for form steps and fields. */
  readonly parent?: string;
  /** The tab that shows it, and gets the amber dot. */
  readonly tab: string;
  /** Its name in the save bar. */
  readonly name: string;
  /** False for forms with a button of their own. */
  readonly inBar: boolean;
  readonly changes: Readonly<Record<string, unknown>>;
  /** The ETag of what was shown when the first change was made. */
  readonly etag: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: Phase;
  /** Why it couldn't be saved, in plain words. */
  readonly reason: string;
  /** What is stored now, when someone else was first. */
  readonly theirs?: Readonly<Record<string, unknown>>;
}

/** Every draft by its id. */
export const drafts = signal<Readonly<Record<string, DraftState>>>(keptDrafts());

effect(() => keepDrafts(Object.values(drafts.value)));

/** Changes parts of a draft; does nothing when there is none. */
export function patchDraft(id: string, parts: Partial<DraftState>): void {
  const draft = drafts.value[id];
  if (draft) drafts.value = { ...drafts.value, [id]: { ...draft, ...parts } };
}

/** Takes down a field's new value; `stored` tells whether it differs at all. */
export function changeDraft(
  draft: DraftState,
  name: string,
  value: unknown,
  stored: unknown,
): void {
  const { [name]: _, ...others } = draft.changes;
  const changes = Object.is(value, stored) ? others : { ...others, [name]: value };
  const { [name]: __, ...errors } = draft.errors;
  const phase: Phase = draft.phase === "saving" ? "saving" : restingPhase(changes);
  drafts.value = { ...drafts.value, [draft.id]: { ...draft, changes, errors, phase, reason: "" } };
}

/** Forgets a draft: what is stored counts again. */
export function discardDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

/** The phase of a draft at rest. */
export function restingPhase(changes: DraftState["changes"]): Phase {
  return Object.keys(changes).length > 0 ? "unsaved" : "clean";
}

/** True when the draft holds something that would be lost. */
export function isUnsaved(draft: DraftState): boolean {
  return Object.keys(draft.changes).length > 0;
}

/** Every draft that would be lost. */
export function unsavedDrafts(): DraftState[] {
  return Object.values(drafts.value).filter(isUnsaved);
}
