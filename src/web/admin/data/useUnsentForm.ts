/** Drafts of forms with their own submit button, such as a reply. */
import { useContext } from "react";
import type { SecretField } from "../../../schema/core/invisibleCharacters.ts";
import {
  setDraftField,
  type DraftAddress,
  createDraftId,
  drafts,
  discardAtUserRequest,
  isUnsaved,
} from "./drafts.ts";
import { createEmptyDraft, TabContext } from "./useDraft.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";

/** `label` is shown to the user. */
export interface UnsentForm extends DraftAddress {
  readonly part: string;
  readonly label: string;
}

interface UnsentFormState<V extends object> {
  readonly values: V;
  readonly changes: Partial<V>;
  readonly isUnsaved: boolean;
  readonly setValues: (change: Partial<V>) => void;
  readonly discard: () => void;
}

/** Rejects secret fields at compile time: drafts are stored on the device, and secrets mustn't be. */
type WithoutSecrets<V> = { readonly [K in keyof V]: K extends SecretField ? never : V[K] };

/** Returns a form's values, which stay on the device until the form is sent. `joinFormValues` adds secret fields. */
export function useUnsentForm<V extends object>(
  form: UnsentForm,
  initial: V & WithoutSecrets<V>,
): UnsentFormState<V> {
  const tab = useContext(TabContext);
  const id = createDraftId(form);
  const { key, item, part, label } = form;
  const state = useSignalValue(drafts)[id] ?? {
    ...createEmptyDraft(key, id, tab, { item, part, label, isInSaveBar: false }),
    hasOwnSubmit: true,
  };
  const changes = state.changes as Partial<V>;
  return {
    values: { ...initial, ...changes },
    changes,
    isUnsaved: isUnsaved(state),
    setValues(change) {
      for (const [field, value] of Object.entries(change)) {
        setDraftField(drafts.value[id] ?? state, field, value, initial[field as keyof V]);
      }
      if (drafts.value[id] && !isUnsaved(drafts.value[id])) discardAtUserRequest(id);
    },
    discard: () => discardAtUserRequest(id),
  };
}

export const hasUnsentInput = (form: UnsentForm): boolean =>
  drafts.value[createDraftId(form)] !== undefined;
