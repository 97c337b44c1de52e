/** What the server tells of letters, and what can be done with them. */
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
/** While a letter is on its way it is looked at again, in milliseconds. */
const ASKED_EVERY = 2000;

const isOnItsWay = ({ state, sendAt }: LetterSummary) =>
  state === "sending" || (state === "scheduled" && Date.parse(sendAt ?? "") - Date.now() < 60_000);

const all = resource<LettersState>(LETTERS, {
  every: ({ letters }) => letters.some(isOnItsWay) && ASKED_EVERY,
});

/** All letters, their settings and how many would get one. */
export const useLetters = () => useResource(all);

/** A letter with the ETag of its words, which a save of them sends back. */
export interface StoredLetter extends LetterDetail {
  readonly etag: string | null;
}

const one = (id: string) =>
  resource<StoredLetter>(`${LETTERS}/${id}`, {
    every: (letter) => isOnItsWay(letter) && ASKED_EVERY,
    read: letterOf,
  });

export const useLetter = (id: string) => useResource(one(id));

/** Reads a letter as it is now. Throws CallFailed. */
export const readLetter = (id: string) => queryClient.fetchQuery(one(id));

/** As it was last read or written here. */
export const knownLetter = (id: string) => queryClient.getQueryData(one(id).queryKey);

/** What a letter says. */
export type LetterWords = Pick<
  LetterDetail,
  "subject" | "preview" | "body" | "buttonText" | "buttonLink"
>;

/** A new draft. Throws CallFailed, as all that follow. */
export const newLetter = () => changed("/api/letters", {});

/** Refused with 412 where the words are not those of `etag` any more. */
export const saveLetter = (id: string, words: Partial<LetterWords>, etag: string | null) =>
  changed(`/api/letters/${id}`, words, {
    method: "PUT",
    headers: etag === null ? {} : { "if-match": etag },
  });

export const testLetter = (id: string) => changed(`/api/letters/${id}/test`, {});

export const sendLetter = (id: string, sent: { audience: Audience; at?: string }) =>
  changed(`/api/letters/${id}/send`, sent);

/** Stops, sends on, or takes back. */
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
  // What came before this would take the new words back.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, letter);
  void queryClient.invalidateQueries({ queryKey: all.queryKey, exact: true });
  return letter;
}

/** Only what changes words, and reading, returns an ETag; all else leaves the words as they are. */
async function letterOf(path: string, options?: CallOptions): Promise<StoredLetter> {
  const { body, headers } = await api.call<LetterDetail>(path, options);
  return { ...body, etag: headers.get("etag") ?? knownLetter(body.id)?.etag ?? null };
}
