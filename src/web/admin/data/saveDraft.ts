/** Saves drafts: check, send with the ETag, then forget what was stored. */
import { checkChange, checkNew, clientFields, initialValues } from "../../../schema/check.ts";
import type { ErrorBody } from "../../../schema/errors.ts";
import { entities } from "../../../schema/index.ts";
import { messagesFor, type WriteMessages } from "../../../schema/messages.ts";
import { CallFailed } from "../../shared/api.ts";
import { queryClient } from "./client.ts";
import { discardDraft, drafts, type DraftState, isUnsaved, NEW, patchDraft } from "./drafts.ts";
import { failureWords, toastError, toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery } from "./useEntity.ts";
import { type Body, createItem, saveEntity, updateItem } from "./writes.ts";

/** How long "Saved" stays, in milliseconds. */
const SAVED_FOR = 2000;
/** What was typed is never lost to a dropped connection. */
const OFFLINE = "You seem to be offline. Your changes are kept on this device.";

/** Saves one draft. Resolves to whether everything in it is stored now; never rejects. */
export async function saveDraft(id: string): Promise<boolean> {
  const draft = drafts.value[id];
  if (!draft || draft.phase === "saving") return false;
  if (draft.item !== NEW && !isUnsaved(draft)) return true;
  patchDraft(id, { phase: "saving", reason: "", errors: {} });
  try {
    const stored = await storedValues(draft);
    const values = { ...stored, ...draft.changes };
    const refused = refusalOf(draft, values);
    if (refused) return refuse(id, refused.error, refused.fields);
    await send(draft, bodyOf(draft, values, stored));
    settle(draft);
    return true;
  } catch (error) {
    return fail(draft, error);
  }
}

/** Saves the drafts one after the other; those that fail stay. */
export async function saveDrafts(ids: readonly string[]): Promise<void> {
  // Only one toast shows at a time, so save in turn: the last toast is then about the last write.
  for (const id of ids) await saveDraft(id); // oxlint-disable-line no-await-in-loop
}

/** Sends what was typed over what someone else saved in the meantime. */
export async function keepMine(id: string): Promise<void> {
  const draft = drafts.value[id];
  if (!draft) return;
  patchDraft(id, { etag: await reread(draft), phase: "unsaved", theirs: undefined });
  await saveDraft(id);
}

/** Forgets what was typed for what someone else saved in the meantime. */
export async function takeTheirs(id: string): Promise<void> {
  const draft = drafts.value[id];
  // Read what is stored first, or the old values would show for a moment.
  if (draft) await reread(draft);
  discardDraft(id);
}

/** One item of a stored list, or the stored value of a singleton. */
export function storedIn(value: unknown, item: string | undefined): Record<string, unknown> {
  if (!Array.isArray(value)) return value as Record<string, unknown>;
  return value.find((each) => each.id === item) ?? {};
}

/** The values a draft stands on: those stored, or those a new item begins with. */
async function storedValues(draft: DraftState): Promise<Record<string, unknown>> {
  if (draft.item === NEW) return { ...initialValues(entities[draft.key].fields), ...draft.initial };
  const { value } = await queryClient.fetchQuery(entityQuery(draft.key, draft.parent));
  return storedIn(value, draft.item);
}

function refusalOf(draft: DraftState, values: Record<string, unknown>) {
  const entity = entities[draft.key];
  const checked = draft.item === NEW ? checkNew(entity, values) : checkChange(entity, values);
  return checked.ok ? undefined : checked;
}

function refuse(id: string, error: string, errors: Readonly<Record<string, string>>): false {
  patchDraft(id, { phase: "failed", reason: error, errors, toast: toastError(error) });
  return false;
}

function bodyOf(
  {
    key,
    send = clientFields(entities[key].fields).map(([name]) => name),
    sendIfSet = [],
  }: DraftState,
  values: Record<string, unknown>,
  stored: Record<string, unknown>,
): Body {
  const unset = (name: string) =>
    sendIfSet.includes(name) && values[name] === null && stored[name] === null;
  return Object.fromEntries(
    send.filter((name) => !unset(name)).map((name) => [name, values[name]]),
  );
}

function send({ key, item, etag }: DraftState, body: Body): Promise<unknown> {
  if (item === undefined) return saveEntity(key, body, etag);
  return item === NEW ? createItem(key, body) : updateItem(key, item, body, etag);
}

function settle(draft: DraftState): void {
  const changes = typedSince(draft);
  if (draft.item === NEW) discardDraft(draft.id);
  else if (Object.keys(changes).length > 0) patchDraft(draft.id, { changes, phase: "unsaved" });
  else showSaved(draft.id);
  toastSuccess(wordsOf(draft).success);
}

/** What was typed while the draft was on its way. */
export function typedSince(sent: DraftState): DraftState["changes"] {
  const now = Object.entries(drafts.value[sent.id]?.changes ?? {});
  return Object.fromEntries(now.filter(([name, value]) => !Object.is(value, sent.changes[name])));
}

function showSaved(id: string): void {
  patchDraft(id, { changes: {}, phase: "saved" });
  setTimeout(() => drafts.value[id]?.phase === "saved" && discardDraft(id), SAVED_FOR);
}

function fail(draft: DraftState, error: unknown): false {
  const { failure } = wordsOf(draft);
  const body: Partial<ErrorBody> = error instanceof CallFailed ? error.body : {};
  if (body.code === "changed_elsewhere") {
    const theirs = storedIn(body.current, draft.item);
    patchDraft(draft.id, { phase: "conflict", reason: failureWords(error, failure), theirs });
    return false;
  }
  const toast = toastFailure(error, failure);
  const reason = error instanceof CallFailed ? failureWords(error, failure) : OFFLINE;
  patchDraft(draft.id, { phase: "failed", reason, errors: body.fields ?? {}, toast });
  return false;
}

function wordsOf({ key, item, words }: DraftState): WriteMessages {
  const verb = item === undefined ? "save" : item === NEW ? "create" : "update";
  return { ...messagesFor(entities[key], verb), ...words };
}

/** Reads what is stored now. Resolves to its ETag, or null when it can't be read. */
async function reread({ key, parent }: DraftState): Promise<string | null> {
  const query = { ...entityQuery(key, parent), staleTime: 0 };
  return (await queryClient.fetchQuery(query).catch(() => undefined))?.etag ?? null;
}
