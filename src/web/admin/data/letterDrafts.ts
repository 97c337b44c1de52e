/** Saves letters' drafts: one save at a time, each over the text it was typed over. */
import type { ErrorBody } from "../../../schema/errors.ts";
import { CallFailed } from "../../shared/api.ts";
import { discardDraft, drafts, type DraftState, isUnsaved, patchDraft } from "./drafts.ts";
import { knownLetter, readLetter, saveLetter } from "./letters.ts";
import { failureWords, toastError, toastFailure } from "../../ui/messages.ts";
import { typedSince } from "./saveDraft.ts";
import { type TypedPlace, typedId } from "./useTyped.ts";

/** Where a letter's draft is kept. */
export const letterPlace = (letter: string): TypedPlace => ({
  key: "letters",
  item: letter,
  part: "words",
  name: "Letter",
  etag: () => knownLetter(letter)?.etag ?? null,
});

const queues = new Map<string, Promise<boolean>>();

/** Resolves to whether all of the letter's changes are stored; never rejects. */
export function saveLetterDraft(letter: string): Promise<boolean> {
  const before = queues.get(letter) ?? Promise.resolve(true);
  const saved = before.then(() => sendTyped(letter));
  queues.set(letter, saved);
  return saved;
}

/** Saves drafts of earlier visits for letters that aren't open. */
export function saveLeftLetters(): void {
  for (const { key, item } of Object.values(drafts.value))
    if (key === "letters" && item !== undefined) void saveLetterDraft(item);
}

async function sendTyped(letter: string): Promise<boolean> {
  const draft = drafts.value[typedId(letterPlace(letter))];
  if (!draft || !isUnsaved(draft)) return true;
  if (draft.theirs) return false;
  patchDraft(draft.id, { phase: "saving", reason: "" });
  const stored = { ...knownLetter(letter) };
  try {
    const { etag } = await saveLetter(letter, draft.changes, draft.etag);
    const changes = typedSince(draft, stored);
    if (Object.keys(changes).length === 0) discardDraft(draft.id);
    else patchDraft(draft.id, { changes, etag, phase: "unsaved" });
    return true;
  } catch (error) {
    return fail(draft, error);
  }
}

function fail({ id }: DraftState, error: unknown): false {
  const body: Partial<ErrorBody> = error instanceof CallFailed ? error.body : {};
  if (body.code === "not_found" || body.code === "conflict") {
    // Deleted or being sent: the draft can't be stored any more.
    discardDraft(id);
    toastFailure(error, NOT_SAVED);
    return false;
  }
  const isOlder = body.code === "changed_elsewhere";
  // Its screen asks inline: a dialog would interrupt typing.
  const theirs = isOlder ? { theirs: body.current as DraftState["changes"] } : {};
  patchDraft(id, { phase: "failed", reason: failureWords(error, NOT_SAVED), ...theirs });
  return false;
}

const NOT_SAVED = "Couldn't save.";

/** Saves the draft over the version saved elsewhere. */
export async function keepMyLetter(letter: string): Promise<void> {
  try {
    const { etag } = await readLetter(letter);
    patchDraft(typedId(letterPlace(letter)), { etag, theirs: undefined });
    await saveLetterDraft(letter);
  } catch (error) {
    toastFailure(error, NOT_READ);
  }
}

/** Discards the draft for the version saved elsewhere. Resolves to whether it did. */
export async function takeTheirLetter(letter: string): Promise<boolean> {
  try {
    await readLetter(letter);
    discardDraft(typedId(letterPlace(letter)));
    return true;
  } catch (error) {
    toastFailure(error, NOT_READ);
    return false;
  }
}

const NOT_READ = "The letter couldn't be read. Try again.";

/** Saves the draft when its screen is left; a failure is shown, and the draft stays. */
export async function leaveLetter(letter: string): Promise<void> {
  const isSaved = await saveLetterDraft(letter);
  if (!isSaved && drafts.value[typedId(letterPlace(letter))]) toastError(LEFT);
}

const LEFT = "This letter couldn't be saved. What you typed is kept on this device.";
