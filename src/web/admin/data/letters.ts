/** The server's routes for letters. */
import type { Audience } from "../../../schema/letters.ts";
import type {
  LetterDetail,
  LetterPreview,
  LettersState,
  LetterSummary,
} from "../../../schema/letterAnswers.ts";
import type { CallOptions } from "../../shared/api.ts";
import { api, queryClient } from "./client.ts";
import { readAgain, resource, useResource } from "./resource.ts";

const LETTERS = "/api/letters";
/** How often a letter being sent is read again, in milliseconds. */
const ASKED_EVERY = 2000;

const isOnItsWay = ({ state, sendAt }: LetterSummary) =>
  state === "sending" || (state === "scheduled" && Date.parse(sendAt ?? "") - Date.now() < 60_000);

const all = resource<LettersState>(LETTERS, {
  every: ({ letters }) => letters.some(isOnItsWay) && ASKED_EVERY,
});

/** All letters, their settings and the number of recipients. */
export const useLetters = () => useResource(all);

/** A letter with the ETag of its text, for saving. */
export interface StoredLetter extends LetterDetail {
  readonly etag: string | null;
}

const one = (id: string) =>
  resource<StoredLetter>(`${LETTERS}/${id}`, {
    every: (letter) => isOnItsWay(letter) && ASKED_EVERY,
    read: letterOf,
  });

export const useLetter = (id: string) => useResource(one(id));

/** Reads a letter's current state. Throws CallFailed. */
export const readLetter = (id: string) => queryClient.fetchQuery(one(id));

/** As last read or written here. */
export const knownLetter = (id: string) => queryClient.getQueryData(one(id).queryKey);

/** A letter's text. */
export type LetterWords = Pick<
  LetterDetail,
  "subject" | "preview" | "body" | "buttonText" | "buttonLink"
>;

/** A new draft. Throws CallFailed, like all below. */
export const newLetter = () => changed("/api/letters", {});

/** Refused with 412 if the text no longer matches `etag`. */
export const saveLetter = (id: string, words: Partial<LetterWords>, etag: string | null) =>
  changed(`/api/letters/${id}`, words, {
    method: "PUT",
    headers: etag === null ? {} : { "if-match": etag },
  });

export const testLetter = (id: string) => changed(`/api/letters/${id}/test`, {});

export const sendLetter = (id: string, sent: { audience: Audience; at?: string }) =>
  changed(`/api/letters/${id}/send`, sent);

/** Pauses, resumes or cancels. */
export const moveLetter = (id: string, step: "pause" | "resume" | "cancel") =>
  changed(`/api/letters/${id}/${step}`, {});

export async function publishLetter(id: string, isPublic: boolean): Promise<void> {
  await api.post(`/api/letters/${id}/publish`, { isPublic });
  await readAgain(LETTERS);
}

export async function deleteLetter(id: string): Promise<void> {
  await api.delete(`/api/letters/${id}`);
  await queryClient.invalidateQueries({ queryKey: all.queryKey, exact: true });
}

export async function saveLetterSettings(
  settings: Partial<LettersState["settings"]> & { readonly reportSecret?: string },
): Promise<void> {
  await api.post("/api/letters/settings", settings);
  await readAgain(LETTERS);
}

export const previewLetter = (words: LetterWords) =>
  api.post<LetterPreview>("/api/letters/preview", words);

export const countAudience = async (audience: Audience) =>
  (await api.post<{ count: number }>("/api/letters/audience", { audience })).count;

async function changed(
  path: string,
  body: object,
  options: CallOptions = { method: "POST" },
): Promise<StoredLetter> {
  const letter = await letterOf(path, { ...options, body });
  const { queryKey } = one(letter.id);
  // A read under way would overwrite the new text.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, letter);
  void queryClient.invalidateQueries({ queryKey: all.queryKey, exact: true });
  return letter;
}

/** Only writes of the text, and reads, return an ETag; other calls leave the text as it is. */
async function letterOf(path: string, options?: CallOptions): Promise<StoredLetter> {
  const { body, headers } = await api.call<LetterDetail>(path, options);
  return { ...body, etag: headers.get("etag") ?? knownLetter(body.id)?.etag ?? null };
}
