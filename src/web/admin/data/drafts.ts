/** What was typed and isn't saved yet. It survives changing tabs and, on this device, reloading (keptDrafts.ts). */
import { signal } from "@preact/signals-react";
import type { EntityKey } from "../../../schema/index.ts";
import type { WriteMessages } from "../../../schema/messages.ts";
import { dismissToast } from "../../ui/toast.ts";
import { toastSuccess } from "../../ui/messages.ts";
import type { Body } from "./writes.ts";

/** The item id of a draft that is not in its list yet. */
export const NEW = "new";

export type Phase = "clean" | "unsaved" | "saving" | "saved" | "failed" | "conflict";

/** How a draft is saved. It is data alone, so that a draft can be saved without its form. */
export interface SaveSettings {
  /** The values of a new item before anything is typed. */
  readonly initial?: Body;
  /** The fields that are sent; by default every one that a client may set. */
  readonly send?: readonly string[];
  /** Those that are left out while they are null and were so before. */
  readonly sendIfSet?: readonly string[];
  /** Singletons of one group are saved in one write, all of them or none. */
  readonly group?: string;
  /** The words of its toasts, where they are not the entity's. */
  readonly words?: Partial<WriteMessages>;
}

/** One draft: the fields that differ from what is stored, and how saving them went. */
export interface DraftState extends SaveSettings {
  readonly id: string;
  readonly key: EntityKey;
  /** The item's id in a list, or NEW; missing for a singleton. */
  readonly item?: string;
  /** The list it is in, for form steps and fields. */
  readonly parent?: string;
  /** The tab that shows it, and gets the amber dot. */
  readonly tab: string;
  /** Its name in the save bar. */
  readonly name: string;
  /** True for a form that useTyped.ts keeps: its fields are no entity's, and no save here is of it. */
  readonly sendsItself?: true;
  /** False for forms with a button of their own. */
  readonly inBar: boolean;
  readonly changes: Readonly<Record<string, unknown>>;
  /** The ETag of what was shown when the first change was made. */
  readonly etag: string | null;
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: Phase;
  /** Why it couldn't be saved, in plain words. */
  readonly reason: string;
  /** The toast that said why; it goes when its cause does. */
  readonly toast?: number | undefined;
  /** Typed in another window of this browser, which saves it where it saves by itself. */
  readonly isTypedElsewhere?: boolean;
  /** What is stored now, when someone else was first. */
  readonly theirs?: Readonly<Record<string, unknown>> | undefined;
  /** Its ETag. */
  readonly theirEtag?: string | null | undefined;
}

export const drafts = signal<Readonly<Record<string, DraftState>>>({});

/** Changes some of a draft's state; does nothing when there is no such draft. */
export function patchDraft(id: string, change: Partial<DraftState>): void {
  const draft = drafts.value[id];
  if (draft) drafts.value = { ...drafts.value, [id]: { ...draft, ...change } };
}

/** Takes down a field's new value; `stored` tells whether it differs at all. */
export function changeDraft(
  draft: DraftState,
  name: string,
  value: unknown,
  stored: unknown,
): void {
  dismissFailure(draft);
  const { [name]: _, ...others } = draft.changes;
  const changes = isSame(value, stored) ? others : { ...others, [name]: value };
  const { [name]: __, ...errors } = draft.errors;
  const phase: Phase = draft.phase === "saving" ? "saving" : restingPhase(changes);
  const typed = { changes, errors, phase, reason: "", isTypedElsewhere: false };
  drafts.value = { ...drafts.value, [draft.id]: { ...draft, ...typed } };
}

/** Lists of names are the same when they name the same in the same order. */
function isSame(value: unknown, stored: unknown): boolean {
  if (!Array.isArray(value) || !Array.isArray(stored)) return Object.is(value, stored);
  return value.length === stored.length && value.every((each, at) => Object.is(each, stored[at]));
}

/** What someone else was first with stays unsaved until the owner has chosen. */
export function decideLater(): void {
  for (const { id, phase } of Object.values(drafts.value))
    if (phase === "conflict") patchDraft(id, { phase: "failed" });
}

/** Forgets a draft: what is stored counts again. */
export function discardDraft(id: string): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}

const givenUp = new Map<string, number>();

/** How often the owner has given this draft up: what began before is not of the one after. */
export const timesGivenUp = (id: string): number => givenUp.get(id) ?? 0;

export const noteGivenUp = (id: string) => void givenUp.set(id, timesGivenUp(id) + 1);

/** As `discardDraft`, because the owner says so: what was said about it goes too. */
export function giveUpDraft(id: string): void {
  dismissFailure(drafts.value[id]);
  noteGivenUp(id);
  discardDraft(id);
}

/** As `giveUpDraft` of several, with a way back: a slip of the thumb costs nothing. */
export function giveUpDrafts(ids: readonly string[]): void {
  const given = unsavedDrafts().filter(({ id }) => ids.includes(id));
  ids.forEach(giveUpDraft);
  toastSuccess("Changes discarded", { label: "Undo", onPress: () => bringDraftsBack(given) });
}

/** What was wrong is being put right, or is given up: the words about it go. */
function dismissFailure(draft: DraftState | undefined): void {
  if (draft?.toast !== undefined) dismissToast(draft.toast);
}

/** Takes away what was typed for things that are gone, and returns it for when they come back. */
export function setDraftsAside(ids: readonly string[]): DraftState[] {
  const gone = new Set<string | undefined>(ids);
  const aside = unsavedDrafts().filter(({ item, parent }) => gone.has(item) || gone.has(parent));
  for (const { id } of aside) discardDraft(id);
  return aside;
}

/** Puts drafts back that were taken away; what was typed since stays. */
export function bringDraftsBack(aside: readonly DraftState[]): void {
  const back = Object.fromEntries(aside.map((draft) => [draft.id, atRest(draft)]));
  drafts.value = { ...back, ...drafts.value };
}

/** A draft whatever goes on with it in this window. */
export function atRest(draft: DraftState): DraftState {
  const { theirs: _, theirEtag: __, toast: ___, isTypedElsewhere: ____, ...rest } = draft;
  return { ...rest, phase: "unsaved", reason: "", errors: {} };
}

export function restingPhase(changes: DraftState["changes"]): Phase {
  return Object.keys(changes).length > 0 ? "unsaved" : "clean";
}

/** True when the draft holds something that would be lost. */
export function isUnsaved(draft: DraftState): boolean {
  return Object.keys(draft.changes).length > 0;
}

/** The ids of a draft and of what is unsaved of its group, in the order in which they were begun. */
export function savedWith(id: string): string[] {
  const group = drafts.value[id]?.group;
  if (group === undefined) return [id];
  const together = Object.values(drafts.value).filter(
    (draft) => draft.id === id || (draft.group === group && isUnsaved(draft)),
  );
  return together.map((draft) => draft.id);
}

/** Every draft that would be lost. */
export function unsavedDrafts(): DraftState[] {
  return Object.values(drafts.value).filter(isUnsaved);
}
