/** Saves drafts: checks them, sends them with their ETags, and removes the saved changes. */
import {
  checkChange,
  checkNewItem,
  checkItem,
  getInitialValues,
  getSentFields,
} from "../../../schema/entities/check.ts";
import type { ErrorBody } from "../../../schema/core/http.ts";
import { DISPLAY_PERIOD_FIELDS } from "../../../schema/entities/displayPeriod.ts";
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities, type Entity } from "../../../schema/index.ts";
import { getWriteMessages, type WriteMessages } from "../../../schema/entities/messages.ts";
import { assertDefined } from "../../../schema/core/assertDefined.ts";
import { CallError, readEtag } from "../../shared/api.ts";
import { queryClient } from "./client.ts";
import { canStoreDrafts } from "./draftStorage.ts";
import {
  restoreDrafts,
  discardDraft,
  createDraftId,
  drafts,
  type DraftState,
  type RequestBody,
  isSameValue,
  isUnsaved,
  NEW_ITEM_ID,
  patchDraft,
  findIdlePhase,
  findGroupIds,
} from "./drafts.ts";
import { getFailureMessage, toastError, toastFailure, toastSuccess } from "../../ui/messages.ts";
import { createEntityQuery, chooseReadParameter } from "./useEntity.ts";
import { createItem, saveEntities, saveEntity, updateItem } from "./entityWrites.ts";

/** How long "Saved" is shown, in milliseconds. */
const SAVED_DISPLAY_MS = 2000;

function describeMissingResponse(): string {
  const reason = navigator.onLine === false ? "You're offline" : "Couldn't reach the site";
  const storageText = canStoreDrafts()
    ? "Your changes are saved on this device"
    : "Keep this page open: your changes couldn't be saved on this device";
  return `${reason}. ${storageText}.`;
}

interface SaveOptions {
  /** True: the values are sent even if nothing has changed. */
  readonly isForced?: boolean;
  /** False: a toast reports a failure, since the save bar shows only drafts of the open tab. */
  readonly isReportedInBar?: boolean;
}

/** The last save of each draft with `showsOwnState`, by draft id. */
const pendingSaves = new Map<string, Promise<boolean>>();

/** Saves a draft and its group. Resolves to whether all changes are stored. Never rejects. */
export async function saveDraft(id: string, options: SaveOptions = {}): Promise<boolean> {
  if (!drafts.value[id]?.showsOwnState) return saveImmediately(id, options);
  // The draft's previous save may still be running if the form was closed and opened again.
  const pendingSave = (pendingSaves.get(id) ?? Promise.resolve(true)).then(() =>
    saveImmediately(id, options),
  );
  pendingSaves.set(id, pendingSave);
  return pendingSave;
}

async function saveImmediately(
  id: string,
  { isReportedInBar = true, isForced = false }: SaveOptions,
): Promise<boolean> {
  const group = findGroupIds(id).map((each) => drafts.value[each]);
  if (group.some((draft) => !draft || draft.phase === "saving")) return false;
  const changedDrafts = (group as DraftState[]).filter(
    (draft) => draft.item === NEW_ITEM_ID || isUnsaved(draft),
  );
  const [first, ...others] =
    changedDrafts.length === 0 && isForced ? (group as DraftState[]) : changedDrafts;
  if (!first) return true;
  const sentDrafts = [first, ...others] as const;
  for (const draft of sentDrafts) patchDraft(draft.id, { phase: "saving", reason: "", errors: {} });
  try {
    const preparedDrafts = await Promise.all(sentDrafts.map(prepareDraft));
    const savedValues = await sendDrafts(preparedDrafts);
    for (const [index, { draft, stored }] of preparedDrafts.entries())
      settleDraft(draft, stored, assertDefined(savedValues[index], "value that was saved"));
    if (!first.showsOwnState) toastSuccess(createDraftMessages(first).success);
    return true;
  } catch (error) {
    markFailed(sentDrafts, error, isReportedInBar);
    return false;
  }
}

/** Saves drafts in sequence, each with its group. A draft that fails stays unsaved. */
export async function saveDrafts(ids: readonly string[], options?: SaveOptions): Promise<void> {
  const attemptedIds = new Set<string>();
  for (const id of ids) {
    if (attemptedIds.has(id)) continue;
    for (const each of findGroupIds(id)) attemptedIds.add(each);
    // Saved in sequence, since only one toast is shown at a time: the last toast is about the last save.
    await saveDraft(id, options); // oxlint-disable-line no-await-in-loop
  }
}

/** Returns the stored fields: those of the item if `value` is a list, otherwise `value` itself. */
export function findStoredFields(
  value: unknown,
  item: string | undefined,
): Record<string, unknown> {
  if (!Array.isArray(value)) return value as Record<string, unknown>;
  return value.find((each) => each.id === item) ?? {};
}

async function readStoredValues(draft: DraftState): Promise<Record<string, unknown>> {
  if (draft.item === NEW_ITEM_ID)
    return { ...getInitialValues(entities[draft.key].fields), ...draft.initial };
  const { value } = await queryClient.fetchQuery(createDraftQuery(draft));
  return findStoredFields(value, draft.item);
}

const createDraftQuery = (draft: DraftState) =>
  createEntityQuery(draft.key, chooseReadParameter(draft.key, draft));

type Values = Readonly<Record<string, unknown>>;

interface PreparedDraft {
  readonly draft: DraftState;
  readonly stored: Record<string, unknown>;
  readonly body: RequestBody;
}

/** Checks a draft and creates its request. Throws CallError for invalid values, as the server would. */
async function prepareDraft(draft: DraftState): Promise<PreparedDraft> {
  const entity = entities[draft.key];
  const stored = await readStoredValues(draft);
  const values = { ...stored, ...draft.changes };
  const fieldCheck =
    draft.item === NEW_ITEM_ID ? checkNewItem(entity, values) : checkChange(entity, values);
  const itemCheck = fieldCheck.ok ? checkItem(entity, values) : fieldCheck;
  if (!itemCheck.ok)
    throw new CallError(itemCheck.error, 422, { fields: itemCheck.fields, name: entity.name });
  return { draft, stored, body: createBody(draft, values, stored) };
}

/** Creates a request's body. Leaves out unchanged fields that need a permission, and optional ones that stay empty. */
function createBody({ key, item }: DraftState, values: Values, stored: Values): RequestBody {
  const entity: Entity = entities[key];
  const fieldsSentIfSet = [...DISPLAY_PERIOD_FIELDS, ...(entity.tab?.fieldsSentIfSet ?? [])];
  const isUnset = (name: string) =>
    fieldsSentIfSet.includes(name) && isEmptyValue(values[name]) && isEmptyValue(stored[name]);
  const isProtectedAndUnchanged = (name: string, { permission }: Field) =>
    permission !== undefined && isSameValue(values[name], stored[name]);
  const sentFields = getSentFields(entity, item === NEW_ITEM_ID).filter(
    ([name, field]) => !isUnset(name) && !isProtectedAndUnchanged(name, field),
  );
  const names = sentFields.map(([name]) => name);
  const sentNames = entity.tab?.shouldSendId ? ["id", ...names] : names;
  return Object.fromEntries(sentNames.map((name) => [name, values[name]]));
}

const isEmptyValue = (value: unknown) => value === null || value === "";

async function sendDrafts(prepared: readonly PreparedDraft[]): Promise<readonly object[]> {
  if (prepared.length > 1)
    return saveEntities(prepared.map(({ draft: { key, etag }, body }) => ({ key, body, etag })));
  const [{ draft, body }] = prepared as [PreparedDraft];
  const { key, item, etag } = draft;
  if (item === undefined) return [await saveEntity(key, body, etag)];
  return [await (item === NEW_ITEM_ID ? createItem(key, body) : updateItem(key, item, body, etag))];
}

function settleDraft(draft: DraftState, stored: Record<string, unknown>, saved: object): void {
  const changes = findChangesSince(draft, stored);
  const hasNewerChanges = Object.keys(changes).length > 0;
  if (draft.item === NEW_ITEM_ID) {
    discardDraft(draft.id);
    if (hasNewerChanges) moveDraftToItem((saved as { id: string }).id, { ...draft, changes });
  } else if (hasNewerChanges) patchDraft(draft.id, { changes, phase: "unsaved" });
  else showSaved(draft.id);
}

/** Returns the changes made after the draft was sent. A field that the user reset has its `stored` value. */
function findChangesSince(
  sentDraft: DraftState,
  stored: Record<string, unknown>,
): DraftState["changes"] {
  const currentChanges = drafts.value[sentDraft.id]?.changes;
  if (!currentChanges) return {};
  const names = Object.keys({ ...sentDraft.changes, ...currentChanges });
  const values = names.map(
    (name) => [name, name in currentChanges ? currentChanges[name] : stored[name]] as const,
  );
  return Object.fromEntries(
    values.filter(([name, value]) => !Object.is(value, sentDraft.changes[name])),
  );
}

/** Creates a draft of the new item from changes that the user made while it was being saved. */
function moveDraftToItem(item: string, draft: DraftState): void {
  const id = createDraftId({ ...draft, item });
  const { etag } = queryClient.getQueryData(createDraftQuery(draft).queryKey) ?? {};
  restoreDrafts([{ ...draft, id, item, etag: etag ?? null }]);
}

function showSaved(id: string): void {
  patchDraft(id, { changes: {}, phase: "saved" });
  setTimeout(() => drafts.value[id]?.phase === "saved" && discardDraft(id), SAVED_DISPLAY_MS);
}

/** Marks drafts as failed after a save that stored nothing. If the server named one entity, only its draft fails. */
function markFailed(
  sentDrafts: readonly [DraftState, ...DraftState[]],
  error: unknown,
  isReportedInBar: boolean,
): void {
  const body: Partial<ErrorBody> = error instanceof CallError ? error.body : {};
  const rejectedDrafts = sentDrafts.filter(({ key }) => entities[key].name === body.name);
  const failedDrafts = rejectedDrafts.length > 0 ? rejectedDrafts : sentDrafts;
  const [first = sentDrafts[0]] = rejectedDrafts;
  for (const { id } of sentDrafts.filter((draft) => !failedDrafts.includes(draft)))
    patchDraft(id, { phase: findIdlePhase(drafts.value[id]?.changes ?? {}) });
  const { failure } = createDraftMessages(first);
  if (body.code === "changed_elsewhere") return reportConflict(first, error as CallError, failure);
  const { isInSaveBar, item, showsOwnState } = first;
  if (showsOwnState && (body.code === "not_found" || body.code === "conflict")) {
    // This draft can never be saved: its item was deleted, or can no longer be changed.
    discardDraft(first.id);
    toastFailure(error, failure);
    return;
  }
  // Only one place reports the failure: the save bar, the form, or a toast.
  const isShownInForm = showsOwnState || (body.fields !== undefined && item !== undefined);
  const reason = isInSaveBar
    ? formatFailure(error, failure)
    : showsOwnState || error instanceof CallError
      ? getFailureMessage(error, failure)
      : describeMissingResponse();
  const message = isInSaveBar ? reason : getFailureMessage(error, failure);
  const toastId = (isInSaveBar ? isReportedInBar : isShownInForm) ? undefined : toastError(message);
  for (const { id } of failedDrafts)
    patchDraft(id, { phase: "failed", reason, errors: body.fields ?? {}, toastId });
}

/** Returns the failure and its reason. Messages about fields already contain both. */
function formatFailure(error: unknown, failure: string): string {
  const reason = error instanceof CallError ? error.message : describeMissingResponse();
  const hasFieldErrors = error instanceof CallError && error.body.fields !== undefined;
  return hasFieldErrors || reason === ""
    ? reason || failure
    : `${failure.replace(/\.$/, "")}. ${reason}`;
}

/** Caches the version that somebody else saved. The user must choose between the two versions. */
function reportConflict(draft: DraftState, error: CallError, failure: string): void {
  const { id, item, showsOwnState } = draft;
  const { body, headers } = error;
  const otherEtag = headers ? readEtag(headers) : null;
  const { queryKey } = createDraftQuery(draft);
  // A record's conflict response has only the fields that the user can change. The others come from the cache.
  const cached = queryClient.getQueryData(queryKey)?.value;
  const isList = Array.isArray(body.current);
  const value = isList ? body.current : Object.assign({}, cached, body.current);
  queryClient.setQueryData(queryKey, { value: value as never, etag: otherEtag });
  const otherValue = findStoredFields(body.current, item);
  const phase = showsOwnState ? "failed" : "conflict";
  patchDraft(id, {
    phase,
    reason: getFailureMessage(error, failure),
    otherValue,
    otherEtag,
  });
}

function createDraftMessages({ key, item, messages }: DraftState): WriteMessages {
  const verb = item === undefined ? "save" : item === NEW_ITEM_ID ? "create" : "update";
  return { ...getWriteMessages(entities[key], verb), ...messages };
}
