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

/** The key of the tab that contains the component. The tab shows an amber dot while it has unsaved drafts. */
export const TabContext = createContext("");

/** The options of a draft. By default, a draft belongs to a singleton, and the save bar saves the draft. */
interface DraftOptions<K extends EntityKey> extends SaveSettings, Omit<DraftAddress, "key"> {
  /** The form's label in the save bar. Default: the entity's label. */
  readonly label?: string;
  /**
   * Whether the save bar shows the draft. Default: true for singletons, false for items, whose forms have a save
   * button.
   */
  readonly isInSaveBar?: boolean;
  /** The delay between the last change and autosaving, in milliseconds. Default: the draft isn't autosaved. */
  readonly autosaveMs?: number | undefined;
  /** Called when the draft has been saved, if its form is still shown. */
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
  /** True if somebody else saved first and the user hasn't chosen a version yet. */
  readonly hasConflict: boolean;
  /** The reason why saving failed, as a sentence. Empty if saving didn't fail. */
  readonly reason: string;
  readonly setField: <N extends keyof Item<K> & string>(name: N, value: Item<K>[N]) => void;
  /** Validates one field, for example when it loses focus. */
  readonly checkField: (name: string) => void;
  /**
   * Saves the changes. With `isForced`, sends the values even if nothing has changed. Resolves to whether the values
   * are stored.
   */
  readonly save: (options?: { readonly isForced: true }) => Promise<boolean>;
  readonly discard: () => void;
}

/** Returns the draft of a singleton, or of one item of a list. */
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
      // If the draft was discarded during an upload, the uploaded picture isn't put into the field.
      if (getDiscardCount(id) !== discardCountAtRender) return;
      // While the stored value is loading, the form shows the default value. Choosing this default may be a change, so
      // `undefined` is passed as the stored value.
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

/** Returns a draft without changes. `tab` is the key of the tab that shows its form. */
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
    // Incomplete values aren't autosaved, since the server would refuse them. Forms with `showsOwnState` send
    // incomplete values anyway and show the server's reason.
    if (!showsOwnState && !checkChange(entities[key], changes).ok) return;
    const timer = setTimeout(() => void saveDraft(id), delay);
    return () => clearTimeout(timer);
  }, [id, key, changes, phase, showsOwnState, isEditedInOtherWindow, delay]);
}

/** Calls `onSaved` when the draft has been saved by the form, the save bar or a dialog. */
function useOnSaved(phase: DraftPhase, onSaved: (() => void) | undefined): void {
  const previousPhaseRef = useRef(phase);
  useEffect(() => {
    const wasSaving = previousPhaseRef.current === "saving";
    previousPhaseRef.current = phase;
    if (wasSaving && (phase === "saved" || phase === "clean")) onSaved?.();
  });
}

/**
 * Replaces a typed value with the value that will be stored, for example a URL without https:// with the complete URL.
 */
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

/**
 * Validates a field. If the entity has rules across several fields, also validates the other fields with errors again.
 */
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
