/** The state of a form, from a declaration: `const draft = useDraft("hero")`. */
import { createContext, useContext, useEffect, useRef } from "react";
import {
  checkChange,
  checkItem,
  clientFields,
  initialValues,
  normalizeInput,
} from "../../../schema/entities/check.ts";
import type { Field } from "../../../schema/kinds/fields.ts";
import { entities, type EntityKey, type Item } from "../../../schema/index.ts";
import {
  changeDraft,
  discardDraft,
  type DraftAddress,
  createDraftId,
  drafts,
  type DraftState,
  NEW_ITEM_ID,
  countDiscard,
  patchDraft,
  type DraftPhase,
  type SaveSettings,
  discardCount,
} from "./drafts.ts";
import { saveDraft, findStoredFields } from "./saveDraft.ts";
import { useSignalValue } from "../../ui/useSignalValue.ts";
import { createReadParams, useEntity } from "./useEntity.ts";

type Values = Readonly<Record<string, unknown>>;

/** The tab around a component; drafts show their amber dot there. */
export const TabContext = createContext("");

/** A draft's differences from a whole singleton saved by the bar. */
interface DraftOptions<K extends EntityKey> extends SaveSettings, Omit<DraftAddress, "key"> {
  /** Its name in the save bar; default: the entity's label. */
  readonly name?: string;
  /** Shown in the save bar; default: true for singletons, as items have a button of their own. */
  readonly inBar?: boolean;
  /** Autosaves this long after the last change, in milliseconds. */
  readonly autosave?: number | undefined;
  /** Called once saved, while its form is shown. */
  readonly onSaved?: () => void;
  readonly initial?: Partial<Item<K>>;
}

/** A form's values, errors and actions. */
export interface Draft<K extends EntityKey = any> {
  readonly id: string;
  readonly key: K;
  /** Its item isn't stored yet. */
  readonly isNew: boolean;
  /** Stored values with unsaved changes. */
  readonly values: Item<K>;
  readonly stored: Item<K>;
  /** False while stored values are loading. */
  readonly ready: boolean;
  readonly loadError: Error | null;
  readonly reload: () => void;
  readonly dirty: readonly string[];
  readonly errors: Readonly<Record<string, string>>;
  readonly phase: DraftPhase;
  /** Somebody else saved first, and the owner hasn't chosen yet. */
  readonly hasConflict: boolean;
  /** Why it couldn't be saved, as a sentence; else empty. */
  readonly reason: string;
  readonly set: <N extends keyof Item<K> & string>(name: N, value: Item<K>[N]) => void;
  /** Checks one field, as on blur. */
  readonly check: (name: string) => void;
  /** Resolves to whether it is stored. */
  readonly save: () => Promise<boolean>;
  /** Like `save`, also without changes. */
  readonly saveAgain: () => Promise<boolean>;
  readonly discard: () => void;
}

/** The draft of a singleton, or of one item of a list. */
export function useDraft<K extends EntityKey>(key: K, options: DraftOptions<K> = {}): Draft<K> {
  const tab = useContext(TabContext);
  const read = useEntity(key, createReadParams(key, options), {
    enabled: options.item !== NEW_ITEM_ID,
  });
  const id = createDraftId({ key, ...options });
  const state = useSignalValue(drafts)[id] ?? createEmptyDraft(key, id, tab, options);
  const stored = pickStoredContent(key, options, read.value);
  useAutosave(id, state, options.autosave);
  useOnSaved(state.phase, options.onSaved);
  const current = () => drafts.value[id] ?? { ...state, etag: read.etag };
  const save = (saveOptions?: { readonly isForced: true }) => {
    if (!drafts.value[id]) drafts.value = { ...drafts.value, [id]: current() };
    return saveDraft(id, saveOptions);
  };
  const before = discardCount(id);
  const ready = options.item === NEW_ITEM_ID || read.value !== undefined;
  return {
    id,
    key,
    isNew: options.item === NEW_ITEM_ID,
    values: { ...stored, ...state.changes } as Item<K>,
    stored: stored as Item<K>,
    ready,
    loadError: read.error,
    reload: read.reload,
    dirty: Object.keys(state.changes),
    errors: state.errors,
    phase: state.phase,
    hasConflict: state.otherValue !== undefined,
    reason: state.reason,
    set: (name, value) => {
      // An upload may finish after its form was discarded: then the picture is only in the library.
      if (discardCount(id) !== before) return;
      // Until it is loaded, the default is shown: choosing just that may be a change.
      changeDraft(current(), name, value, ready ? stored[name] : undefined);
    },
    check: (name) => {
      showStoredForm(current(), name, { ...stored, ...current().changes }, stored[name]);
      checkField(current(), name, { ...stored, ...current().changes });
    },
    save: () => save(),
    saveAgain: () => save({ isForced: true }),
    discard: () => {
      countDiscard(id);
      discardDraft(id);
    },
  };
}

/** A draft without changes; `tab` is the one that shows it. */
export function createEmptyDraft(
  key: EntityKey,
  id: string,
  tab: string,
  options: DraftOptions<any>,
): DraftState {
  const { item, parent, part, name = entities[key].label, inBar = item === undefined } = options;
  const { initial, group, messages, showsOwnState } = options;
  const settings = { item, parent, part, initial, group, messages, showsOwnState };
  const defined = Object.entries(settings).filter(([, value]) => value !== undefined);
  return {
    id,
    key,
    tab,
    name,
    isInSaveBar: inBar,
    ...Object.fromEntries(defined),
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
  const fresh = initialValues(entities[key].fields) as Record<string, unknown>;
  if (item === NEW_ITEM_ID) return { ...fresh, ...initial };
  return value === undefined ? fresh : findStoredFields(value, item);
}

function useAutosave(
  id: string,
  { key, changes, phase, showsOwnState, isEditedInOtherWindow }: DraftState,
  delay: number | undefined,
): void {
  useEffect(() => {
    if (delay === undefined || phase !== "unsaved" || Object.keys(changes).length === 0) return;
    if (isEditedInOtherWindow) return;
    // Incomplete values wait: they would be refused every second. A quiet form shows why.
    if (!showsOwnState && !checkChange(entities[key], changes).ok) return;
    const timer = setTimeout(() => void saveDraft(id), delay);
    return () => clearTimeout(timer);
  }, [id, key, changes, phase, showsOwnState, isEditedInOtherWindow, delay]);
}

/** A draft that was being saved and is now at rest is stored, whoever started it: form, bar or dialog. */
function useOnSaved(phase: DraftPhase, onSaved: (() => void) | undefined): void {
  const before = useRef(phase);
  useEffect(() => {
    const wasSaving = before.current === "saving";
    before.current = phase;
    if (wasSaving && (phase === "saved" || phase === "clean")) onSaved?.();
  });
}

/** Also rechecks fields with errors, since a rule over several may hold again. */
/** Shows what was typed as it will be stored, such as an address with its https://. */
function showStoredForm(draft: DraftState, name: string, values: Values, stored: unknown): void {
  const entity = entities[draft.key];
  const { [name]: read } = normalizeInput(entity, values);
  const checked = checkChange(entity, { [name]: read });
  const field: Field | undefined = clientFields(entity.fields).find(([each]) => each === name)?.[1];
  if (!field?.kind.isRewritten || !checked.ok || checked.values[name] === values[name]) return;
  changeDraft(draft, name, checked.values[name], stored);
}

function checkField(draft: DraftState, name: string, values: Values): void {
  const entity = entities[draft.key];
  const whole = checkItem(entity, values);
  const broken = whole.ok ? {} : whole.fields;
  const messageFor = (each: string) => {
    const checked = checkChange(entity, { [each]: values[each] });
    return checked.ok ? broken[each] : checked.fields[each];
  };
  const before = draft.errors;
  const names = "rules" in entity ? [...Object.keys(before), name] : [name];
  const messages = new Map([
    ...Object.entries(before),
    ...names.map((each) => [each, messageFor(each)] as const),
  ]);
  const errors = Object.fromEntries([...messages].filter(([, each]) => each !== undefined));
  const isNew = names.some((each) => errors[each] !== before[each]);
  if (isNew && drafts.value[draft.id]) patchDraft(draft.id, { errors: errors as typeof before });
}
