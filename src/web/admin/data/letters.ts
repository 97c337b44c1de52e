/** What the server tells of letters, and what can be done with them. */
import { useQuery } from "@tanstack/react-query";
import type { Audience } from "../../../schema/letters.ts";
import type {
  LetterDetail,
  LetterPreview,
  LettersState,
  LetterSummary,
} from "../../../schema/letterAnswers.ts";
import { call, type CallOptions, callWithHeaders } from "../../shared/api.ts";
import { queryClient, withSession } from "./client.ts";

const KEY = ["letters"];
/** While a letter is on its way it is looked at again, in milliseconds. */
const ASKED_EVERY = 2000;

const isOnItsWay = ({ state, sendAt }: LetterSummary) =>
  state === "sending" || (state === "scheduled" && Date.parse(sendAt ?? "") - Date.now() < 60_000);

/** All letters, their settings and how many would get one; read again whenever a screen shows it anew. */
export function useLetters() {
  return useQuery({
    queryKey: KEY,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.letters.some(isOnItsWay) ? ASKED_EVERY : false),
    queryFn: () => withSession(() => call<LettersState>("/api/letters")),
  });
}

/** A letter with the ETag of its words, which a save of them sends back. */
export interface StoredLetter extends LetterDetail {
  readonly etag: string | null;
}

export function useLetter(id: string) {
  return useQuery({
    ...letterQuery(id),
    refetchInterval: ({ state }) => (state.data && isOnItsWay(state.data) ? ASKED_EVERY : false),
  });
}

const letterQuery = (id: string) => ({
  queryKey: [...KEY, id],
  staleTime: 0,
  queryFn: () => withSession(() => letterOf(`/api/letters/${id}`)),
});

/** Reads a letter as it is now. Throws CallFailed. */
export const readLetter = (id: string) => queryClient.fetchQuery(letterQuery(id));

/** As it was last read or written here. */
export const knownLetter = (id: string) =>
  queryClient.getQueryData<StoredLetter>(letterQuery(id).queryKey);

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
  await post(`/api/letters/${id}/publish`, { isPublic });
  await queryClient.invalidateQueries({ queryKey: KEY });
}

export async function deleteLetter(id: string): Promise<void> {
  await withSession(() => call(`/api/letters/${id}`, { method: "DELETE" }));
  await queryClient.invalidateQueries({ queryKey: KEY, exact: true });
}

export async function saveLetterSettings(
  settings: Partial<LettersState["settings"]> & { readonly reportSecret?: string },
): Promise<void> {
  await post("/api/letters/settings", settings);
  await queryClient.invalidateQueries({ queryKey: KEY });
}

export const previewLetter = (words: LetterWords) =>
  post<LetterPreview>("/api/letters/preview", words);

export const countAudience = async (audience: Audience) =>
  (await post<{ count: number }>("/api/letters/audience", { audience })).count;

const post = <T>(path: string, body: object) =>
  withSession(() => call<T>(path, { method: "POST", body }));

async function changed(
  path: string,
  body: object,
  options: CallOptions = { method: "POST" },
): Promise<StoredLetter> {
  const letter = await withSession(() => letterOf(path, { ...options, body }));
  const { queryKey } = letterQuery(letter.id);
  // What came before this would take the new words back.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, letter);
  void queryClient.invalidateQueries({ queryKey: KEY, exact: true });
  return letter;
}

/** Only what changes words, and reading, returns an ETag; all else leaves the words as they are. */
async function letterOf(path: string, options?: CallOptions): Promise<StoredLetter> {
  const { body, headers } = await callWithHeaders<LetterDetail>(path, options);
  return { ...body, etag: headers.get("etag") ?? knownLetter(body.id)?.etag ?? null };
}
