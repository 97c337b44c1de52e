/** What is typed into a form that sends itself: it is kept and asked about like every other draft. */
import { useSignals } from "@preact/signals-react/runtime";
import { useContext } from "react";
import type { EntityKey } from "../../../schema/index.ts";
import { changeDraft, drafts, type DraftState, giveUpDraft, isUnsaved } from "./drafts.ts";
import { emptyDraft, TabContext } from "./useDraft.ts";

/** Which form it is: `name` is what the dashboard calls it, `item` tells it from others of its kind. */
export interface TypedPlace {
  readonly key: EntityKey;
  readonly part: string;
  readonly item?: string;
  readonly name: string;
  /** The ETag of what it begins with, where a save is to send that back. */
  readonly etag?: () => string | null;
}

interface Typed<V extends object> {
  /** What the form begins with, and what was typed over it. */
  readonly values: V;
  /** What was typed alone. */
  readonly changes: Partial<V>;
  readonly isTyped: boolean;
  /** How saving it went, where that is noted in the drafts. */
  readonly draft: DraftState;
  readonly set: (change: Partial<V>) => void;
  /** It was sent, or is given up. */
  readonly forget: () => void;
}

/**
 * The values of a form that no entity's draft saves, such as a reply. No secret may be among them: what is
 * typed is written to this device.
 */
export function useTyped<V extends object>(place: TypedPlace, initial: V): Typed<V> {
  useSignals();
  const tab = useContext(TabContext);
  const id = typedId(place);
  const { key, item, name } = place;
  const state = drafts.value[id] ?? {
    ...emptyDraft(key, id, tab, { item, name, inBar: false }),
    sendsItself: true,
  };
  const changes = state.changes as Partial<V>;
  return {
    values: { ...initial, ...changes },
    changes,
    isTyped: isUnsaved(state),
    draft: state,
    set(change) {
      for (const [field, value] of Object.entries(change)) {
        const current = drafts.value[id] ?? { ...state, etag: place.etag?.() ?? null };
        changeDraft(current, field, value, initial[field as keyof V]);
      }
      if (drafts.value[id] && !isUnsaved(drafts.value[id])) giveUpDraft(id);
    },
    forget: () => giveUpDraft(id),
  };
}

/** Whether something was typed there, in this visit or an earlier one. */
export const isTyped = (place: TypedPlace): boolean => drafts.value[typedId(place)] !== undefined;

/** How the drafts name it. */
export function typedId({ key, item, part }: TypedPlace): string {
  return [key, item, part].filter((each) => each !== undefined).join("/");
}
