/** Connects a form to its draft: its values, its errors and its save function. */
import { createContext, useContext, useEffect, useRef } from "react";
import {
  checkChange,
  checkItem,
  getClientFields,
  getInitialValues,
  normalizeInput,
} from "../../../schema/entities/check.ts";
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities, type EntityKey, type Item } from "../../../schema/index.ts";
import type { DraftLoadState } from "../../ui/AsyncContent.tsx";
import {
  setDraftField,
  discardDraft,
  type DraftAddress,
  createDraftId,
  drafts,
  type DraftState,
  NEW_ITEM_ID,
  incrementDiscardCount,
  patchDraft,
  type DraftPhase,
  type SaveSettings,
  getDiscardCount,
} from "./drafts.ts";
import { saveDraft, findStoredFields } from "./saveDraft.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { chooseReadParameter, useEntity } from "./useEntity.ts";

type Values = Readonly<Record<string, unknown>>;

/** The key of the tab that contains the component. */
export const TabContext = createContext("");

/** By default, a draft belongs to a singleton, and the save bar saves it. */
interface DraftOptions<K extends EntityKey> extends SaveSettings, Omit<DraftAddress, "key"> {
  /** The form's label in the save bar. Default: the entity's label. */
  readonly label?: string;
  /** Default: true for singletons, false for items, whose forms have a save button. */
  readonly isInSaveBar?: boolean;
  /** The delay after the last change before autosaving. Default: no autosave. */
  readonly autosaveMs?: number | undefined;
  /** Called after a save, if the form is still shown. */
  readonly onSaved?: () => void;
  readonly initial?: Partial<Item<K>>;
}

export interface Draft<K extends EntityKey = any> extends DraftLoadState {
  /** The draft's id (`createDraftId`), not the item's. */
  readonly id: string;
  readonly entityKey: K;
  readonly isNew: boolean;
  readonly values: Item<K>;
  readonly stored: Item<K>;
  readonly dirtyFields: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: DraftPhase;
  /** True if somebody else saved first and the user must choose a version. */
  readonly hasConflict: boolean;
  /** Why saving failed, as a sentence. Empty if it didn't. */
  readonly reason: string;
  readonly setField: <N extends keyof Item<K> & string>(name: N, value: Item<K>[N]) => void;
  readonly checkField: (name: string) => void;
  /** Saves the changes; with `isForced`, even without changes. Resolves to whether the values are stored. */
  readonly save: (options?: { readonly isForced: true }) => Promise<boolean>;
  readonly discard: () => void;
}

export function useDraft<K extends EntityKey>(key: K, options: DraftOptions<K> = {}): Draft<K> {
  const tab = useContext(TabContext);
  const entityQuery = useEntity(key, chooseReadParameter(key, options), {
    enabled: options.item !== NEW_ITEM_ID,
  });
  const id = createDraftId({ key, ...options });
  const state = useSignalValue(drafts)[id] ?? createEmptyDraft(key, id, tab, options);
  const stored = pickStoredContent(key, options, entityQuery.value);
  useAutosave(id, state, options.autosaveMs);
  useOnSaved(state.phase, options.onSaved);
  const getCurrentDraft = () => drafts.value[id] ?? { ...state, etag: entityQuery.etag };
  const save: Draft["save"] = (saveOptions) => {
    if (!drafts.value[id]) drafts.value = { ...drafts.value, [id]: getCurrentDraft() };
    return saveDraft(id, saveOptions);
  };
  const discardCountAtRender = getDiscardCount(id);
  const isReady = options.item === NEW_ITEM_ID || entityQuery.value !== undefined;
  return {
    id,
    entityKey: key,
    isNew: options.item === NEW_ITEM_ID,
    values: { ...stored, ...state.changes } as Item<K>,
    stored: stored as Item<K>,
    isReady,
    loadError: entityQuery.error,
    reload: entityQuery.reload,
    dirtyFields: Object.keys(state.changes),
    errors: state.errors,
    phase: state.phase,
    hasConflict: state.otherValue !== undefined,
    reason: state.reason,
    setField: (name, value) => {
      // The draft was discarded during an upload, so the picture isn't put into the field.
      if (getDiscardCount(id) !== discardCountAtRender) return;
      // While the stored value is loading, the form shows a default. Even choosing the default may be a change.
      setDraftField(getCurrentDraft(), name, value, isReady ? stored[name] : undefined);
    },
    checkField: (name) => {
      showNormalizedValue(getCurrentDraft(), name, stored);
      checkField(getCurrentDraft(), name, stored);
    },
    save,
    discard: () => {
      incrementDiscardCount(id);
      discardDraft(id);
    },
  };
}

export function createEmptyDraft(
  key: EntityKey,
  id: string,
  tab: string,
  options: DraftOptions<any>,
): DraftState {
  const {
    item,
    parent,
    part,
    label = entities[key].label,
    isInSaveBar = item === undefined,
  } = options;
  const { initial, group, messages, showsOwnState } = options;
  const settings = { item, parent, part, initial, group, messages, showsOwnState };
  const definedSettings = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    id,
    key,
    tab,
    label,
    isInSaveBar,
    ...Object.fromEntries(definedSettings),
    changes: {},
    etag: null,
    errors: {},
    phase: "clean",
    reason: "",
  };
}

function pickStoredContent(
  key: EntityKey,
  { item, initial }: DraftOptions<any>,
  value: unknown,
): Record<string, unknown> {
  const initialValues = getInitialValues(entities[key].fields) as Record<string, unknown>;
  if (item === NEW_ITEM_ID) return { ...initialValues, ...initial };
  return value === undefined ? initialValues : findStoredFields(value, item);
}

function useAutosave(
  id: string,
  { key, changes, phase, showsOwnState, isEditedInOtherWindow }: DraftState,
  delay: number | undefined,
): void {
  useEffect(() => {
    if (delay === undefined || phase !== "unsaved" || Object.keys(changes).length === 0) return;
    if (isEditedInOtherWindow) return;
    // The server would refuse incomplete values. Forms with `showsOwnState` send them anyway and show its reason.
    if (!showsOwnState && !checkChange(entities[key], changes).ok) return;
    const timer = setTimeout(() => void saveDraft(id), delay);
    return () => clearTimeout(timer);
  }, [id, key, changes, phase, showsOwnState, isEditedInOtherWindow, delay]);
}

/** Calls `onSaved` whether the form, the save bar or a dialog has saved the draft. */
function useOnSaved(phase: DraftPhase, onSaved: (() => void) | undefined): void {
  const previousPhaseRef = useRef(phase);
  useEffect(() => {
    const wasSaving = previousPhaseRef.current === "saving";
    previousPhaseRef.current = phase;
    if (wasSaving && (phase === "saved" || phase === "clean")) onSaved?.();
  });
}

/** Shows the value that will be stored: for example, adds https:// to a URL. */
function showNormalizedValue(draft: DraftState, name: string, stored: Values): void {
  const entity = entities[draft.key];
  const values: Values = { ...stored, ...draft.changes };
  const { [name]: normalizedValue } = normalizeInput(entity, values);
  const checked = checkChange(entity, { [name]: normalizedValue });
  const field: Field | undefined = getClientFields(entity.fields).find(
    ([each]) => each === name,
  )?.[1];
  if (!field?.kind.isNormalized || !checked.ok || checked.values[name] === values[name]) return;
  setDraftField(draft, name, checked.values[name], stored[name]);
}

/** Validates a field and, if the entity has rules across fields, all fields that have errors. */
function checkField(draft: DraftState, name: string, stored: Values): void {
  const entity = entities[draft.key];
  const values: Values = { ...stored, ...draft.changes };
  const itemCheck = checkItem(entity, values);
  const ruleErrors = itemCheck.ok ? {} : itemCheck.fields;
  const findMessage = (each: string) => {
    const checked = checkChange(entity, { [each]: values[each] });
    return checked.ok ? ruleErrors[each] : checked.fields[each];
  };
  const previousErrors = draft.errors;
  const names = "rules" in entity ? [...Object.keys(previousErrors), name] : [name];
  const messages = new Map([
    ...Object.entries(previousErrors),
    ...names.map((each) => [each, findMessage(each)] as const),
  ]);
  const errors = Object.fromEntries([...messages].filter(([, each]) => each !== undefined));
  const hasChanged = names.some((each) => errors[each] !== previousErrors[each]);
  if (hasChanged && drafts.value[draft.id])
    patchDraft(draft.id, { errors: errors as typeof previousErrors });
}
