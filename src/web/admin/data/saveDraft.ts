/** Saves drafts: check, send with the ETag, then forget what was stored. */
import {
  checkChange,
  checkNew,
  checkWhole,
  clientFields,
  initialValues,
} from "../../../schema/check.ts";
import type { ErrorBody } from "../../../schema/errors.ts";
import { entities } from "../../../schema/index.ts";
import { messagesFor, type WriteMessages } from "../../../schema/messages.ts";
import { CallFailed } from "../../shared/api.ts";
import { queryClient } from "./client.ts";
import {
  bringDraftsBack,
  discardDraft,
  drafts,
  type DraftState,
  isUnsaved,
  NEW,
  patchDraft,
} from "./drafts.ts";
import { failureWords, toastError, toastFailure, toastSuccess } from "../../ui/messages.ts";
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
    const item = await send(draft, bodyOf(draft, values, stored));
    settle(draft, stored, item);
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
  const whole = checked.ok ? checkWhole(entity, values) : checked;
  return whole.ok ? undefined : whole;
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

/** Resolves to what is stored now. */
function send({ key, item, etag }: DraftState, body: Body): Promise<object> {
  if (item === undefined) return saveEntity(key, body, etag);
  return item === NEW ? createItem(key, body) : updateItem(key, item, body, etag);
}

function settle(draft: DraftState, stored: Record<string, unknown>, saved: object): void {
  const changes = typedSince(draft, stored);
  const more = Object.keys(changes).length > 0;
  if (draft.item === NEW) {
    discardDraft(draft.id);
    if (more) goOnAs((saved as { id: string }).id, { ...draft, changes });
  } else if (more) patchDraft(draft.id, { changes, phase: "unsaved" });
  else showSaved(draft.id);
  toastSuccess(wordsOf(draft).success);
}

/** What was typed while the draft was on its way; what was `stored` before may have been typed back. */
export function typedSince(
  sent: DraftState,
  stored: Record<string, unknown>,
): DraftState["changes"] {
  const now = drafts.value[sent.id]?.changes;
  if (!now) return {};
  const names = Object.keys({ ...sent.changes, ...now });
  const values = names.map((name) => [name, name in now ? now[name] : stored[name]] as const);
  return Object.fromEntries(
    values.filter(([name, value]) => !Object.is(value, sent.changes[name])),
  );
}

/** What was typed into a new item after it was sent belongs to the one that it has become. */
function goOnAs(item: string, draft: DraftState): void {
  const id = draft.id.replace(/(?<![^/])[^/]+$/, item);
  const { etag } = queryClient.getQueryData(entityQuery(draft.key, draft.parent).queryKey) ?? {};
  bringDraftsBack([{ ...draft, id, item, etag: etag ?? null }]);
}

function showSaved(id: string): void {
  patchDraft(id, { changes: {}, phase: "saved" });
  setTimeout(() => drafts.value[id]?.phase === "saved" && discardDraft(id), SAVED_FOR);
}

function fail(draft: DraftState, error: unknown): false {
  const { failure } = wordsOf(draft);
  const body: Partial<ErrorBody> = error instanceof CallFailed ? error.body : {};
  if (body.code === "changed_elsewhere") {
    const { etag: theirEtag } = error as CallFailed;
    const query = entityQuery(draft.key, draft.parent);
    queryClient.setQueryData(query.queryKey, { value: body.current as never, etag: theirEtag });
    const theirs = storedIn(body.current, draft.item);
    const reason = failureWords(error, failure);
    patchDraft(draft.id, { phase: "conflict", reason, theirs, theirEtag });
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
