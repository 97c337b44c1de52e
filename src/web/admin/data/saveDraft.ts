/** Saves drafts: check, send with the ETag, then forget what was stored (design.md section 5, If-Match). */
import { checkChange, checkNew, clientFields, initialValues } from "../../../schema/check.ts";
import type { ErrorBody } from "../../../schema/errors.ts";
import { entities } from "../../../schema/index.ts";
import { messagesFor, type WriteMessages } from "../../../schema/messages.ts";
import { CallFailed } from "../../api.ts";
import { queryClient } from "./client.ts";
import {
  discardDraft,
  drafts,
  type DraftState,
  isUnsaved,
  NEW,
  patchDraft,
  restingPhase,
} from "./drafts.ts";
import { failureWords, toastError, toastFailure, toastSuccess } from "./messages.ts";
import { entityQuery } from "./useEntity.ts";
import { type Body, createItem, saveEntity, updateItem } from "./writes.ts";

/** How long "Saved" stays, in milliseconds (look/admin.md). */
const SAVED_FOR = 2000;
/** What was typed is never lost to a dropped line. */
const OFFLINE = "You seem to be offline. Your changes are kept here.";

/** What the form that shows a draft adds to it; not kept over a reload. */
export interface DraftSettings {
  /** The values of a new item before anything is typed. */
  readonly initial?: Body | undefined;
  /** What is sent; every field a client may set unless said otherwise. */
  readonly toBody?: ((values: Record<string, any>) => Body) | undefined;
  readonly words?: Partial<WriteMessages> | undefined;
  readonly onSaved?: ((saved: any) => void) | undefined;
}

/** The settings of the drafts whose forms have been shown, by draft id. */
export const draftSettings = new Map<string, DraftSettings>();

/** Saves one draft; answers whether everything in it is stored now. */
export async function saveDraft(id: string): Promise<boolean> {
  const draft = drafts.value[id];
  if (!draft || draft.phase === "saving") return false;
  if (draft.item !== NEW && !isUnsaved(draft)) return true;
  patchDraft(id, { phase: "saving", reason: "", errors: {} });
  try {
    const values = { ...(await storedValues(draft)), ...draft.changes };
    const refused = check(draft, values);
    if (refused) return refuse(id, refused.error, refused.fields);
    settle(draft, await send(draft, bodyOf(draft, values), draft.etag));
    return true;
  } catch (error) {
    return fail(draft, error);
  }
}

/** Saves the drafts one after the other; those that fail stay. */
export async function saveDrafts(ids: readonly string[]): Promise<void> {
  // One toast is shown at a time: in turn, so that the last words are about the last write.
  for (const id of ids) await saveDraft(id); // oxlint-disable-line no-await-in-loop
}

/** Sends what was typed over what someone else saved meanwhile. */
export async function keepMine(id: string): Promise<void> {
  const draft = drafts.value[id];
  if (!draft) return;
  patchDraft(id, { etag: await reread(draft), phase: "unsaved", theirs: undefined });
  await saveDraft(id);
}

/** Forgets what was typed for what someone else saved meanwhile. */
export async function takeTheirs(id: string): Promise<void> {
  const draft = drafts.value[id];
  // First what is stored now, or the old words would show for a moment.
  if (draft) await reread(draft);
  discardDraft(id);
}

/** The values a draft stands on: those stored, or those a new item begins with. */
async function storedValues(draft: DraftState): Promise<Record<string, unknown>> {
  if (draft.item === NEW)
    return {
      ...initialValues(entities[draft.key].fields),
      ...draftSettings.get(draft.id)?.initial,
    };
  const { value } = await queryClient.fetchQuery(entityQuery(draft.key, draft.parent));
  return storedIn(value, draft.item);
}

/** One item of a stored list, or the stored value of a singleton. */
export function storedIn(value: unknown, item: string | undefined): Record<string, unknown> {
  if (!Array.isArray(value)) return value as Record<string, unknown>;
  return value.find((each) => each.id === item) ?? {};
}

function check(draft: DraftState, values: Record<string, unknown>) {
  const entity = entities[draft.key];
  const checked = draft.item === NEW ? checkNew(entity, values) : checkChange(entity, values);
  return checked.ok ? undefined : checked;
}

function bodyOf(draft: DraftState, values: Record<string, unknown>): Body {
  const toBody = draftSettings.get(draft.id)?.toBody;
  if (toBody) return toBody(values);
  const names = clientFields(entities[draft.key].fields).map(([name]) => name);
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function send(draft: DraftState, body: Body, etag: string | null): Promise<unknown> {
  if (draft.item === undefined) return saveEntity(draft.key, body, etag);
  return draft.item === NEW
    ? createItem(draft.key, body)
    : updateItem(draft.key, draft.item, body, etag);
}

function settle(draft: DraftState, saved: unknown): void {
  const changes = typedMeanwhile(draft);
  const settings = draftSettings.get(draft.id);
  if (draft.item === NEW) discardDraft(draft.id);
  else patchDraft(draft.id, { changes, phase: restingPhase(changes) });
  if (draft.item !== NEW && Object.keys(changes).length === 0) showSaved(draft.id);
  toastSuccess({ ...wordsOf(draft), ...settings?.words }.success);
  settings?.onSaved?.(saved);
}

function typedMeanwhile(sent: DraftState): DraftState["changes"] {
  const now = Object.entries(drafts.value[sent.id]?.changes ?? {});
  return Object.fromEntries(now.filter(([name, value]) => !Object.is(value, sent.changes[name])));
}

function showSaved(id: string): void {
  patchDraft(id, { phase: "saved" });
  setTimeout(() => drafts.value[id]?.phase === "saved" && discardDraft(id), SAVED_FOR);
}

function fail(draft: DraftState, error: unknown): false {
  const words = { ...wordsOf(draft), ...draftSettings.get(draft.id)?.words };
  const body: Partial<ErrorBody> = error instanceof CallFailed ? error.body : {};
  if (body.code === "changed_elsewhere") {
    const theirs = storedIn(body.current, draft.item);
    patchDraft(draft.id, { phase: "conflict", reason: failureWords(error, words.failure), theirs });
    return false;
  }
  toastFailure(error, words.failure);
  const reason = error instanceof CallFailed ? failureWords(error, words.failure) : OFFLINE;
  patchDraft(draft.id, { phase: "failed", reason, errors: body.fields ?? {} });
  return false;
}

function refuse(id: string, error: string, errors: Readonly<Record<string, string>>): false {
  toastError(error);
  patchDraft(id, { phase: "failed", reason: error, errors });
  return false;
}

function wordsOf(draft: DraftState): WriteMessages {
  if (draft.item === undefined) return messagesFor(entities[draft.key], "save");
  return messagesFor(entities[draft.key], draft.item === NEW ? "create" : "update");
}

/** Reads what is stored now; answers its ETag, or null when it can't be read. */
async function reread({ key, parent }: DraftState): Promise<string | null> {
  const query = { ...entityQuery(key, parent), staleTime: 0 };
  return (await queryClient.fetchQuery(query).catch(() => undefined))?.etag ?? null;
}
