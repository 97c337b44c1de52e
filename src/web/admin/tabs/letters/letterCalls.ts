/** Calls to the server's newsletter routes, and the choice of the open newsletter. */
import type { Audience } from "../../../../schema/people/letters.ts";
import type {
  LetterDetail,
  LetterPreview,
  LettersState,
  LetterSummary,
} from "../../../../schema/api/letterResponses.ts";
import { type CallOptions, readEtag } from "../../../shared/api.ts";
import { api, queryClient } from "../../data/client.ts";
import { refetchPaths, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";
import { getRouteApi } from "@tanstack/react-router";

const LETTERS_PATH = "/api/letters";
const POLL_INTERVAL_MS = 2000;

const isSendingOrDue = ({ state, sendAt }: LetterSummary) =>
  state === "sending" || (state === "scheduled" && Date.parse(sendAt ?? "") - Date.now() < 60_000);

const lettersQuery = createApiQuery<LettersState>(LETTERS_PATH, {
  pollIntervalMs: ({ letters }) => letters.some(isSendingOrDue) && POLL_INTERVAL_MS,
});

export const useLetters = () => useApiQuery(lettersQuery);

/** `etag` is the ETag of the text, with which drafts detect conflicts (useEntity.ts). */
interface StoredLetter {
  readonly value: LetterDetail;
  readonly etag: string | null;
}

const createLetterQuery = (id: string) =>
  createApiQuery<StoredLetter>(`${LETTERS_PATH}/${id}`, {
    pollIntervalMs: ({ value }) => isSendingOrDue(value) && POLL_INTERVAL_MS,
    read: requestLetter,
  });

export function useLetter(id: string) {
  const letterQuery = useApiQuery(createLetterQuery(id));
  return { ...letterQuery, value: letterQuery.value?.value };
}

export type LetterText = Pick<
  LetterDetail,
  "subject" | "preview" | "body" | "buttonText" | "buttonLink"
>;

export const pickLetterText = ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
}: LetterText): LetterText => ({
  subject,
  preview,
  body,
  buttonText,
  buttonLink,
});

/** Creates a draft, optionally with another newsletter's text. Throws CallError, like the functions below. */
export const createLetter = (text: Partial<LetterText> = {}) => postLetter(LETTERS_PATH, text);

export const sendTestLetter = (id: string) => postLetter(`${LETTERS_PATH}/${id}/test`, {});

export const sendLetter = (id: string, options: { audience: Audience; at?: string }) =>
  postLetter(`${LETTERS_PATH}/${id}/send`, options);

export const changeLetterState = (id: string, action: "pause" | "resume" | "cancel") =>
  postLetter(`${LETTERS_PATH}/${id}/${action}`, {});

export async function publishLetter(id: string, isPublic: boolean): Promise<void> {
  await api.post(`${LETTERS_PATH}/${id}/publish`, { isPublic });
  await refetchPaths(LETTERS_PATH);
}

export async function deleteLetter(id: string): Promise<void> {
  await api.delete(`${LETTERS_PATH}/${id}`);
  await queryClient.invalidateQueries({ queryKey: lettersQuery.queryKey, exact: true });
}

export async function saveLetterSettings(
  settings: Partial<LettersState["settings"]> & { readonly reportSecret?: string },
): Promise<void> {
  await api.post(`${LETTERS_PATH}/settings`, settings);
  await refetchPaths(LETTERS_PATH);
}

export const previewLetter = (text: LetterText) =>
  api.post<LetterPreview>(`${LETTERS_PATH}/preview`, text);

/** The number of active subscribers who joined on the day `since` or later. */
export const useJoinedCount = (since: string) =>
  useApiQuery(
    createApiQuery(`${LETTERS_PATH}/audience/${since}`, {
      read: () => countAudience({ kind: "since", since }),
    }),
  );

const countAudience = async (audience: Audience) =>
  (await api.post<{ count: number }>(`${LETTERS_PATH}/audience`, { audience })).count;

async function postLetter(path: string, body: object): Promise<LetterDetail> {
  const letter = await requestLetter(path, { method: "POST", body });
  const { queryKey } = createLetterQuery(letter.value.id);
  // An older response must not replace the new state, so a read in progress is canceled.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, letter);
  void queryClient.invalidateQueries({ queryKey: lettersQuery.queryKey, exact: true });
  return letter.value;
}

/** Requests a newsletter. Calls that don't change the text return no ETag, so the cached ETag stays valid. */
async function requestLetter(path: string, options?: CallOptions): Promise<StoredLetter> {
  const { body, headers } = await api.call<LetterDetail>(path, options);
  const cached = queryClient.getQueryData(createLetterQuery(body.id).queryKey);
  return { value: body, etag: readEtag(headers) ?? cached?.etag ?? null };
}

const route = getRouteApi("/admin/dashboard");

/** Returns the newsletter in the URL (`&sub=letters.{id}`), and functions that open and close newsletters. */
export function useOpenLetter() {
  const { sub = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const [, id] = sub.split(".");
  const openSubtab = (to: string) =>
    void navigate({ search: (search) => ({ ...search, sub: to }), resetScroll: true });
  return {
    id,
    open: (letterId: string) => openSubtab(`letters.${letterId}`),
    close: () => openSubtab("letters"),
  };
}
