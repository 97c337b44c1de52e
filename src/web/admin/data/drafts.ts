/** Unsaved input. It survives changing tabs and, on this device, reloading (draftStorage.ts). */
import { signal } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/entities/messages.ts";
import { dismissToast } from "../../ui/toast.ts";
import { toastSuccess } from "../../ui/messages.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import type { RequestBody } from "./writes.ts";

/** The item id of a draft that isn't in its list yet. */
export const NEW_ITEM_ID = "new";

export type DraftPhase = "clean" | "unsaved" | "saving" | "saved" | "failed" | "conflict";

/** The saving of a draft. Plain data, so that a draft can be saved without its form. */
export interface SaveSettings {
  /** The initial values of a new item. */
  readonly initial?: RequestBody;
  /** Singletons of one group are saved in one write, all or none. */
  readonly group?: string;
  /** Its toasts' messages, if they aren't the entity's. */
  readonly messages?: Partial<WriteMessages>;
  /** Its form itself shows the state of saving, conflicts included: for one that autosaves, and is often left. */
  readonly showsOwnState?: true;
}

/** The object of a draft; `part` distinguishes several of one entity. */
export interface DraftAddress {
  readonly key: EntityKey;
  /** The list it is in, for form steps and fields. */
  readonly parent?: string | undefined;
  /** The item's id in a list, or NEW; undefined for a singleton. */
  readonly item?: string | undefined;
  readonly part?: string | undefined;
}

/** The id of a draft: made of its address, and never taken apart. */
export const createDraftId = ({ key, parent, item, part }: DraftAddress): string =>
  [key, parent, item, part].filter((each) => each !== undefined).join("/");

/** A draft: the fields that differ from stored values, and the state of saving. */
export interface DraftState extends SaveSettings, DraftAddress {
  readonly id: string;
  /** The tab that shows it, with the amber dot. */
  readonly tab: string;
  /** Its name in the save bar. */
  readonly name: string;
  /** True for forms stored by useUnsentForm.ts: not the fields of an entity, and not saved here. */
  readonly hasOwnSubmit?: true;
  /** False for forms with a button of their own. */
  readonly isInSaveBar: boolean;
  readonly changes: Readonly<Record<string, unknown>>;
  /** The ETag of the values shown at the first change. */
  readonly etag: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: DraftPhase;
  /** Why it couldn't be saved, as a sentence. */
  readonly reason: string;
  /** The toast of the failure, dismissed with its cause. */
  readonly toast?: number | undefined;
  /** Typed in another window of this browser, which also autosaves it. */
  readonly isEditedInOtherWindow?: boolean;
  /** The values stored now, after a conflict. */
  readonly otherValue?: Readonly<Record<string, unknown>> | undefined;
  /** Their ETag. */
  readonly otherEtag?: string | null | undefined;
}

/** By id. Components follow them by `useDrafts` and `useUnsavedDrafts`. */
export const drafts = signal<Readonly<Record<string, DraftState>>>({});

/** All drafts, those at rest included. */
export const useDrafts = (): readonly DraftState[] => Object.values(useSignalValue(drafts));

export const useUnsavedDrafts = (): readonly DraftState[] => useDrafts().filter(isUnsaved);

/** The draft that somebody else saved first, while the owner has to choose. */
export const useConflictingDraft = () => useDrafts().find(({ phase }) => phase === "conflict");

/** The present state of a draft, outside of rendering. */
export const findDraft = (id: string): DraftState | undefined => drafts.value[id];

/** Changes a draft's state; does nothing without that draft. */
export function patchDraft(id: string, change: Partial<DraftState>): void {
  const draft = drafts.value[id];
  if (draft) drafts.value = { ...drafts.value, [id]: { ...draft, ...change } };
}

/** Sets a field; `stored` decides whether it is a change. */
export function changeDraft(
  draft: DraftState,
  name: string,
  value: unknown,
  stored: unknown,
): void {
  dismissFailure(draft);
  const { [name]: _, ...others } = draft.changes;
  const changes = isSameValue(value, stored) ? others : { ...others, [name]: value };
  const { [name]: __, ...errors } = draft.errors;
  const phase: DraftPhase = draft.phase === "saving" ? "saving" : phaseAtRest(changes);
  const typed = { changes, errors, phase, reason: "", isEditedInOtherWindow: false };
  drafts.value = { ...drafts.value, [draft.id]: { ...draft, ...typed } };
}

/** Lists are equal if they have the same names in the same order. */
export function isSameValue(value: unknown, stored: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(stored)) return Object.is(value, stored);
  return value.length === stored.length && value.every((each, at) => Object.is(each, stored[at]));
}

/** Conflicts are unsaved until the owner decides. */
export function postponeConflicts(): void {
  for (const { id, phase } of Object.values(drafts.value))
    if (phase === "conflict") patchDraft(id, { phase: "failed" });
}

/** Discards a draft: stored values count again. */
export function discardDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

const discardCounts = new Map<string, number>();

/** The number of times the owner discarded this draft: anything begun earlier doesn't belong to the next. */
export const discardCount = (id: string): number => discardCounts.get(id) ?? 0;

export const countDiscard = (id: string) => void discardCounts.set(id, discardCount(id) + 1);

/** Like `discardDraft`, at the owner's request: its messages go too. */
export function discardByOwner(id: string): void {
  dismissFailure(drafts.value[id]);
  countDiscard(id);
  discardDraft(id);
}

/** Like `discardByOwner` for several, with Undo for a slip. */
export function discardDrafts(ids: readonly string[]): void {
  const discarded = findUnsavedDrafts().filter(({ id }) => ids.includes(id));
  ids.forEach(discardByOwner);
  toastSuccess("Changes discarded", { label: "Undo", onPress: () => restoreDrafts(discarded) });
}

/** The error is being fixed or discarded: its toast closes. */
function dismissFailure(draft: DraftState | undefined): void {
  if (draft?.toast !== undefined) dismissToast(draft.toast);
}

/** Removes drafts of deleted items, and returns them for a restore. */
export function removeDrafts(ids: readonly string[]): DraftState[] {
  const deletedIds = new Set<string | undefined>(ids);
  const aside = findUnsavedDrafts().filter(
    ({ item, parent }) => deletedIds.has(item) || deletedIds.has(parent),
  );
  for (const { id } of aside) discardDraft(id);
  return aside;
}

/** Restores drafts that were taken out; newer input is retained. */
export function restoreDrafts(aside: readonly DraftState[]): void {
  const back = Object.fromEntries(aside.map((draft) => [draft.id, toStoredDraft(draft)]));
  drafts.value = { ...back, ...drafts.value };
}

/** A draft without its state in this window. */
export function toStoredDraft(draft: DraftState): DraftState {
  const { otherValue: _, otherEtag: __, toast: ___, isEditedInOtherWindow: ____, ...rest } = draft;
  return { ...rest, phase: "unsaved", reason: "", errors: {} };
}

export function phaseAtRest(changes: DraftState["changes"]): DraftPhase {
  return Object.keys(changes).length > 0 ? "unsaved" : "clean";
}

export function isUnsaved(draft: DraftState): boolean {
  return Object.keys(draft.changes).length > 0;
}

/** The ids of a draft and of unsaved drafts in its group, in the order begun. */
export function findDraftIdsSavedTogether(id: string): string[] {
  const group = drafts.value[id]?.group;
  if (group === undefined) return [id];
  const together = Object.values(drafts.value).filter(
    (draft) => draft.id === id || (draft.group === group && isUnsaved(draft)),
  );
  return together.map((draft) => draft.id);
}

/** Like `useUnsavedDrafts`, outside of rendering. */
export function findUnsavedDrafts(): DraftState[] {
  return Object.values(drafts.value).filter(isUnsaved);
}
