/** Drafts of forms with their own submit button, stored and guarded like all others. */
import { useContext } from "react";
import type { SecretField } from "../../../schema/core/invisibleCharacters.ts";
import {
  changeDraft,
  type DraftAddress,
  createDraftId,
  drafts,
  discardByOwner,
  isUnsaved,
} from "./drafts.ts";
import { createEmptyDraft, TabContext } from "./useDraft.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

/** A form: `name` is its name in the dashboard, `item` distinguishes it from others of its kind. */
export interface UnsentForm extends DraftAddress {
  readonly part: string;
  readonly name: string;
}

interface UnsentFormState<V extends object> {
  /** The initial values with changes. */
  readonly values: V;
  /** Only the changes. */
  readonly changes: Partial<V>;
  readonly isTyped: boolean;
  readonly set: (change: Partial<V>) => void;
  /** After it was sent or discarded. */
  readonly forget: () => void;
}

/** Doesn't compile for a field that is declared secret: what is typed is written to this device. */
type WithoutSecrets<V> = { readonly [K in keyof V]: K extends SecretField ? never : V[K] };

/** The values of a form that no entity's draft saves, such as a reply. A secret is joined to them (`joinFormValues`). */
export function useUnsentForm<V extends object>(
  form: UnsentForm,
  initial: V & WithoutSecrets<V>,
): UnsentFormState<V> {
  const tab = useContext(TabContext);
  const id = createDraftId(form);
  const { key, item, part, name } = form;
  const state = useSignalValue(drafts)[id] ?? {
    ...createEmptyDraft(key, id, tab, { item, part, name, isInSaveBar: false }),
    hasOwnSubmit: true,
  };
  const changes = state.changes as Partial<V>;
  return {
    values: { ...initial, ...changes },
    changes,
    isTyped: isUnsaved(state),
    set(change) {
      for (const [field, value] of Object.entries(change)) {
        changeDraft(drafts.value[id] ?? state, field, value, initial[field as keyof V]);
      }
      if (drafts.value[id] && !isUnsaved(drafts.value[id])) discardByOwner(id);
    },
    forget: () => discardByOwner(id),
  };
}

/** Whether something was typed, in this visit or an earlier one. */
export const hasUnsentInput = (form: UnsentForm): boolean =>
  drafts.value[createDraftId(form)] !== undefined;
