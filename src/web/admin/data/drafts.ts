/** Unsaved input of forms. Drafts survive changing tabs and, on the same device, reloading (draftStorage.ts). */
import { signal } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/entities/messages.ts";
import { dismissToast } from "../../ui/toast.ts";
import { toastSuccess } from "../../ui/messages.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type RequestBody = Readonly<Record<string, unknown>>;

/** The item id of a draft for an item that isn't stored yet. */
export const NEW_ITEM_ID = "new";

export type DraftPhase = "clean" | "unsaved" | "saving" | "saved" | "failed" | "conflict";

/** How a draft is saved. This is plain data, so a draft can be saved while its form isn't shown. */
export interface SaveSettings {
  /** The initial values of a new item. */
  readonly initial?: RequestBody;
  /** The name of a group of singletons that are saved in one write, all or none. */
  readonly group?: string;
  /** Toast messages that replace the entity's. */
  readonly messages?: Partial<WriteMessages>;
  /** True if the form itself shows the state of saving, and conflicts. For autosaved forms that are often left. */
  readonly showsOwnState?: true;
}

/** The entity or item of a draft. `part` distinguishes several drafts of one entity. */
export interface DraftAddress {
  readonly key: EntityKey;
  /** The id of the list's parent, for form steps and fields. */
  readonly parent?: string | undefined;
  /** The item's id, or NEW_ITEM_ID. Undefined for a singleton. */
  readonly item?: string | undefined;
  readonly part?: string | undefined;
}

/** Builds a draft's id from its address. The id is never parsed. */
export const createDraftId = ({ key, parent, item, part }: DraftAddress): string =>
  [key, parent, item, part].filter((each) => each !== undefined).join("/");

/** A draft: the fields that differ from the stored values, and the state of saving. */
export interface DraftState extends SaveSettings, DraftAddress {
  readonly id: string;
  /** The key of the tab that shows the form, for the tab's amber dot. */
  readonly tab: string;
  /** The form's label in the save bar. */
  readonly label: string;
  /**
   * True for forms with their own submit button (useUnsentForm.ts). These aren't fields of an entity and aren't saved
   * by the save bar.
   */
  readonly hasOwnSubmit?: true;
  /** False for forms with their own save button. */
  readonly isInSaveBar: boolean;
  readonly changes: Readonly<Record<string, unknown>>;
  /** The ETag of the stored values at the time of the first change. */
  readonly etag: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: DraftPhase;
  /** The reason why saving failed, as a sentence. */
  readonly reason: string;
  /** The id of the toast about a failed save. The toast is dismissed once its cause is fixed. */
  readonly toastId?: number | undefined;
  /** True if the draft is being edited in another window of this browser. That window also autosaves it. */
  readonly isEditedInOtherWindow?: boolean;
  /** The values that somebody else stored, after a conflict. */
  readonly otherValue?: Readonly<Record<string, unknown>> | undefined;
  /** The ETag of `otherValue`. */
  readonly otherEtag?: string | null | undefined;
}

/** All drafts by id. Components read them with `useDrafts` and `useUnsavedDrafts`. */
export const drafts = signal<Readonly<Record<string, DraftState>>>({});

/** All drafts, including those without changes. */
export const useDrafts = (): readonly DraftState[] => Object.values(useSignalValue(drafts));

export const useUnsavedDrafts = (): readonly DraftState[] => useDrafts().filter(isUnsaved);

/** The draft that awaits the user's decision because somebody else saved first. */
export const useConflictingDraft = () => useDrafts().find(({ phase }) => phase === "conflict");

/** Returns a draft's current state. For code outside of components. */
export const findDraft = (id: string): DraftState | undefined => drafts.value[id];

/** Changes a draft's state. Does nothing if the draft doesn't exist. */
export function patchDraft(id: string, change: Partial<DraftState>): void {
  const draft = drafts.value[id];
  if (draft) drafts.value = { ...drafts.value, [id]: { ...draft, ...change } };
}

/** Sets a field's value. The field counts as changed only if the value differs from `stored`. */
export function setDraftField(
  draft: DraftState,
  fieldName: string,
  value: unknown,
  stored: unknown,
): void {
  dismissFailure(draft);
  const { [fieldName]: _, ...others } = draft.changes;
  const changes = isSameValue(value, stored) ? others : { ...others, [fieldName]: value };
  const { [fieldName]: __, ...errors } = draft.errors;
  const phase: DraftPhase = draft.phase === "saving" ? "saving" : findIdlePhase(changes);
  const patch = { changes, errors, phase, reason: "", isEditedInOtherWindow: false };
  drafts.value = { ...drafts.value, [draft.id]: { ...draft, ...patch } };
}

/** Compares two field values. Lists must have the same values in the same order. */
export function isSameValue(value: unknown, stored: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(stored)) return Object.is(value, stored);
  return (
    value.length === stored.length && value.every((each, index) => Object.is(each, stored[index]))
  );
}

/**
 * Keeps a write by this page from being a conflict: drafts with the ETag `before` the write get the ETag `after` it. An
 * ETag is null if the server sent none.
 */
export function rebaseDrafts(key: EntityKey, before: string | null, after: string | null): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}

/** Marks drafts with a conflict as failed, which closes the conflict dialog. The user can decide later. */
export function postponeConflicts(): void {
  for (const { id, phase } of Object.values(drafts.value))
    if (phase === "conflict") patchDraft(id, { phase: "failed" });
}

/** Discards a draft, so that its form shows the stored values again. */
export function discardDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

const discardCounts = new Map<string, number>();

/** How often the user discarded this draft. Operations begun before the last discard must not change the draft. */
export const getDiscardCount = (id: string): number => discardCounts.get(id) ?? 0;

export const incrementDiscardCount = (id: string) =>
  void discardCounts.set(id, getDiscardCount(id) + 1);

/** Discards a draft at the user's request, together with its messages. */
export function discardWithMessages(id: string): void {
  dismissFailure(drafts.value[id]);
  incrementDiscardCount(id);
  discardDraft(id);
}

/** Discards several drafts at the user's request, with Undo in a toast. */
export function discardDrafts(ids: readonly string[]): void {
  const discarded = findUnsavedDrafts().filter(({ id }) => ids.includes(id));
  ids.forEach(discardWithMessages);
  toastSuccess("Changes discarded", { label: "Undo", onPress: () => restoreDrafts(discarded) });
}

/** Closes the toast about a failed save, since its error is being fixed or discarded. */
function dismissFailure(draft: DraftState | undefined): void {
  if (draft?.toastId !== undefined) dismissToast(draft.toastId);
}

/** Removes the drafts of deleted items. Returns the removed drafts for a later `restoreDrafts`. */
export function removeDraftsOf(ids: readonly string[]): DraftState[] {
  const deletedIds = new Set<string | undefined>(ids);
  const removed = findUnsavedDrafts().filter(
    ({ item, parent }) => deletedIds.has(item) || deletedIds.has(parent),
  );
  for (const { id } of removed) discardDraft(id);
  return removed;
}

/** Restores removed drafts. Drafts begun since then are kept. */
export function restoreDrafts(removed: readonly DraftState[]): void {
  const restored = Object.fromEntries(removed.map((draft) => [draft.id, toStoredDraft(draft)]));
  drafts.value = { ...restored, ...drafts.value };
}

/** Returns a draft as it is stored on this device, without the state that belongs to this window. */
export function toStoredDraft(draft: DraftState): DraftState {
  const {
    otherValue: _,
    otherEtag: __,
    toastId: ___,
    isEditedInOtherWindow: ____,
    ...rest
  } = draft;
  return { ...rest, phase: "unsaved", reason: "", errors: {} };
}

export function findIdlePhase(changes: DraftState["changes"]): DraftPhase {
  return Object.keys(changes).length > 0 ? "unsaved" : "clean";
}

export function isUnsaved(draft: DraftState): boolean {
  return Object.keys(draft.changes).length > 0;
}

/** Returns the ids of a draft and of the unsaved drafts in its group, in the order of their creation. */
export function findGroupIds(id: string): string[] {
  const group = drafts.value[id]?.group;
  if (group === undefined) return [id];
  const groupDrafts = Object.values(drafts.value).filter(
    (draft) => draft.id === id || (draft.group === group && isUnsaved(draft)),
  );
  return groupDrafts.map((draft) => draft.id);
}

export function findUnsavedDrafts(): DraftState[] {
  return Object.values(drafts.value).filter(isUnsaved);
}
