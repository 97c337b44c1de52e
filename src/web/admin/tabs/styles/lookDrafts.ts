/** The drafts of the Styles tab: the styles, and the colors of sections. */
import {
  COLORED_SETTINGS_KEYS,
  type ColoredSettingsKey,
  type Look,
  findLook,
  type OptionalSectionColors,
  getSectionName,
} from "../../../../schema/looks/looks.ts";
import type { DraftLoadState } from "../../../ui/AsyncContent.tsx";
import { showToast } from "../../../ui/toast.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";

/** The drafts of a group are saved together or not at all. */
const LOOK_GROUP = "look";

export const SECTION_COLOR_FIELDS = ["backgroundColor", "textColor", "accentColor"] as const;

/** The drafts of all values that a look sets. */
export interface LookDrafts extends DraftLoadState {
  readonly styles: Draft<"styles">;
  readonly sections: Readonly<Record<ColoredSettingsKey, Draft<ColoredSettingsKey>>>;
  readonly allDrafts: readonly Draft[];
}

export function useLookDrafts(): LookDrafts {
  const styles = useDraft("styles", { group: LOOK_GROUP });
  const sections = Object.fromEntries(
    // oxlint-disable-next-line react/hooks -- always the same ones: the list is declared
    COLORED_SETTINGS_KEYS.map((key) => [key, useSectionColors(key)]),
  ) as LookDrafts["sections"];
  const allDrafts: readonly Draft[] = [styles, ...Object.values(sections)];
  const unreadyDrafts = allDrafts.filter(({ isReady }) => !isReady);
  return {
    styles,
    sections,
    allDrafts,
    // Until all drafts are loaded, the values are defaults, which Undo must not restore.
    isReady: unreadyDrafts.length === 0,
    loadError: unreadyDrafts.find(({ loadError }) => loadError)?.loadError ?? null,
    reload: () => unreadyDrafts.forEach(({ reload }) => reload()),
  };
}

/** The draft of a section's colors, separate from the draft of the section's tab. */
function useSectionColors(key: ColoredSettingsKey): Draft<ColoredSettingsKey> {
  const label = `${getSectionName(key)} colors`;
  return useDraft(key, {
    part: "colors",
    label,
    group: LOOK_GROUP,
  }) as Draft<ColoredSettingsKey>;
}

interface LookValues {
  readonly styles: Readonly<Record<string, unknown>>;
  readonly sections: Readonly<Partial<Record<ColoredSettingsKey, OptionalSectionColors>>>;
}

/** Changes the form without saving it. Undo in the toast restores the earlier values. */
export function applyLook(
  drafts: LookDrafts,
  values: LookValues,
  title: string,
  description = "Save to publish the change",
): void {
  const before = {
    styles: pickValues(drafts.styles.values, Object.keys(values.styles)),
    sections: Object.fromEntries(
      (Object.keys(values.sections) as ColoredSettingsKey[]).map((key) => [
        key,
        pickValues(drafts.sections[key].values, SECTION_COLOR_FIELDS) as OptionalSectionColors,
      ]),
    ),
  };
  setValues(drafts, values);
  const undo = () => setValues(drafts, before);
  showToast({ title, description, action: { label: "Undo", onPress: undo } });
}

function setValues({ styles, sections }: LookDrafts, values: LookValues): void {
  for (const [name, value] of Object.entries(values.styles))
    styles.setField(name as "headingFont", value as string);
  for (const [key, colors] of Object.entries(values.sections))
    for (const name of SECTION_COLOR_FIELDS)
      sections[key as ColoredSettingsKey].setField(name, colors[name] as string);
}

function pickValues(values: object, names: readonly string[]): Record<string, unknown> {
  const valuesByName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, valuesByName[name]]));
}

export function chooseLook(drafts: LookDrafts, look: Look): void {
  applyLook(drafts, look, `${look.label} applied to both pages`);
}

/** Returns the chosen look; undefined for custom values. `isChanged`: whether a value differs from the look's. */
export function findChosenLook(
  drafts: LookDrafts,
): { readonly look: Look; readonly isChanged: boolean } | undefined {
  const look = findLook(drafts.styles.values.look);
  if (!look) return undefined;
  const areSectionsUnchanged = COLORED_SETTINGS_KEYS.every((key) =>
    matchesAll(look.sections[key], drafts.sections[key].values),
  );
  return {
    look,
    isChanged: !(areSectionsUnchanged && matchesAll(look.styles, drafts.styles.values)),
  };
}

/** Whether `values` has all values of `expected`. Case doesn't matter, since colors can be in either case. */
export function matchesAll(expected: object, values: object): boolean {
  const valuesByName = values as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(
    ([name, value]) => toComparable(value) === toComparable(valuesByName[name]),
  );
}

const toComparable = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
