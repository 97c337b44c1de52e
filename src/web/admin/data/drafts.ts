/** Unsaved input of forms. Drafts survive changing tabs and, on the same device, reloading (draftStorage.ts). */
import { signal } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/entities/messages.ts";
import { dismissToast } from "../../ui/toast.ts";
import { toastSuccess } from "../../ui/messages.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

export type RequestBody = Readonly<Record<string, unknown>>;

/** The item id in a draft of an item that isn't stored yet. */
export const NEW_ITEM_ID = "new";

export type DraftPhase = "clean" | "unsaved" | "saving" | "saved" | "failed" | "conflict";

/** These settings are plain data, so that a draft can be saved while its form isn't shown. */
export interface SaveSettings {
  readonly initial?: RequestBody;
  /** The name of a group of singletons that are saved in one write, all or none. */
  readonly group?: string;
  /** Toast messages that replace the entity's default messages. */
  readonly messages?: Partial<WriteMessages>;
  /** True if the form itself shows the result of saving, as autosaved forms do. */
  readonly showsOwnState?: true;
}

/** `part` distinguishes several drafts of one entity. */
export interface DraftAddress {
  readonly key: EntityKey;
  /** The id of the item that contains the list, for form steps and form fields. */
  readonly parent?: string | undefined;
  /** The item's id, or NEW_ITEM_ID. Undefined for a singleton. */
  readonly item?: string | undefined;
  readonly part?: string | undefined;
}

export const createDraftId = ({ key, parent, item, part }: DraftAddress): string =>
  [key, parent, item, part].filter((each) => each !== undefined).join("/");

/** A draft: the fields whose values differ from the stored ones, and the state of saving. */
export interface DraftState extends SaveSettings, DraftAddress {
  readonly id: string;
  /** The key of the tab that shows the form. */
  readonly tab: string;
  readonly label: string;
  /** True for forms with their own submit button (useUnsentForm.ts). The save bar doesn't save them. */
  readonly hasOwnSubmit?: true;
  /** False for forms with their own save button. */
  readonly isInSaveBar: boolean;
  readonly changes: Readonly<Record<string, unknown>>;
  /** The ETag of the stored values when the user made the first change. */
  readonly etag: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: DraftPhase;
  /** Why saving failed, as a sentence. */
  readonly reason: string;
  /** The id of the toast about a failed save. */
  readonly toastId?: number | undefined;
  /** True if another window of this browser edited the draft last. Only that window autosaves it. */
  readonly isEditedInOtherWindow?: boolean;
  /** The values that somebody else stored first. Undefined if there is no conflict. */
  readonly otherValue?: Readonly<Record<string, unknown>> | undefined;
  readonly otherEtag?: string | null | undefined;
}

export const drafts = signal<Readonly<Record<string, DraftState>>>({});

/** Returns all drafts, including those without changes. */
export const useDrafts = (): readonly DraftState[] => Object.values(useSignalValue(drafts));

export const useUnsavedDrafts = (): readonly DraftState[] => useDrafts().filter(isUnsaved);

/** Returns a draft that can't be saved because somebody else saved first. */
export const useConflictingDraft = () => useDrafts().find(({ phase }) => phase === "conflict");

export const findDraft = (id: string): DraftState | undefined => drafts.value[id];

export function patchDraft(id: string, change: Partial<DraftState>): void {
  const draft = drafts.value[id];
  if (draft) drafts.value = { ...drafts.value, [id]: { ...draft, ...change } };
}

/** Sets a field's value. A value equal to `stored` is no change. */
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

export function isSameValue(value: unknown, stored: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(stored)) return Object.is(value, stored);
  return (
    value.length === stored.length && value.every((each, index) => Object.is(each, stored[index]))
  );
}

/** After a write by this page, gives drafts the new ETag, so that they don't conflict with the write. */
export function rebaseDrafts(key: EntityKey, before: string | null, after: string | null): void {
  for (const draft of Object.values(drafts.value))
    if (before && draft.key === key && draft.etag === before) patchDraft(draft.id, { etag: after });
}

/** Closes the conflict dialog by marking its drafts as failed. The user can resolve the conflict later. */
export function postponeConflicts(): void {
  for (const { id, phase } of Object.values(drafts.value))
    if (phase === "conflict") patchDraft(id, { phase: "failed" });
}

export function discardDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

const discardCounts = new Map<string, number>();

/** Returns how often the user has discarded the draft, so that older operations don't change a newer draft. */
export const getDiscardCount = (id: string): number => discardCounts.get(id) ?? 0;

export const incrementDiscardCount = (id: string) =>
  void discardCounts.set(id, getDiscardCount(id) + 1);

export function discardAtUserRequest(id: string): void {
  dismissFailure(drafts.value[id]);
  incrementDiscardCount(id);
  discardDraft(id);
}

export function discardDrafts(ids: readonly string[]): void {
  const discarded = findUnsavedDrafts().filter(({ id }) => ids.includes(id));
  ids.forEach(discardAtUserRequest);
  toastSuccess("Changes discarded", { label: "Undo", onPress: () => restoreDrafts(discarded) });
}

function dismissFailure(draft: DraftState | undefined): void {
  if (draft?.toastId !== undefined) dismissToast(draft.toastId);
}

/** Removes and returns the drafts of deleted items. */
export function removeDraftsOf(ids: readonly string[]): DraftState[] {
  const deletedIds = new Set<string | undefined>(ids);
  const removed = findUnsavedDrafts().filter(
    ({ item, parent }) => deletedIds.has(item) || deletedIds.has(parent),
  );
  for (const { id } of removed) discardDraft(id);
  return removed;
}

/** Restores removed drafts, but doesn't replace newer ones. */
export function restoreDrafts(removed: readonly DraftState[]): void {
  const restored = Object.fromEntries(removed.map((draft) => [draft.id, toStoredDraft(draft)]));
  drafts.value = { ...restored, ...drafts.value };
}

/** Returns a draft without the state that only this window needs. */
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

/** Returns the ids of a draft and of the unsaved drafts in its group. */
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
