/** The drafts of the Styles tab: the styles, and the sections' own colors. */
import {
  COLORED_SETTINGS_KEYS,
  type ColoredSettingsKey,
  type Look,
  findLook,
  type CustomColors,
  sectionName,
} from "../../../../schema/looks/looks.ts";
import { showToast } from "../../../ui/toast.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";

/** Visitors see all of a look or none of it. */
const LOOK_GROUP = "look";

export const SECTION_COLOR_FIELDS = ["backgroundColor", "textColor", "accentColor"] as const;

/** The drafts of everything a look sets. */
export interface LookDrafts {
  readonly styles: Draft<"styles">;
  readonly sections: Readonly<Record<ColoredSettingsKey, Draft<ColoredSettingsKey>>>;
  /** All of them, for the save button. */
  readonly all: readonly Draft[];
  /** Whether all are loaded: before that, values are defaults, and Undo would restore those. */
  readonly ready: boolean;
  readonly loadError: Error | null;
  readonly reload: () => void;
}

export function useLookDrafts(): LookDrafts {
  const styles = useDraft("styles", { group: LOOK_GROUP });
  const sections = Object.fromEntries(
    // oxlint-disable-next-line react/hooks -- always the same ones: the list is declared
    COLORED_SETTINGS_KEYS.map((key) => [key, useSectionColors(key)]),
  ) as LookDrafts["sections"];
  const all: readonly Draft[] = [styles, ...Object.values(sections)];
  const unread = all.filter(({ ready }) => !ready);
  return {
    styles,
    sections,
    all,
    ready: unread.length === 0,
    loadError: unread.find(({ loadError }) => loadError)?.loadError ?? null,
    reload: () => unread.forEach(({ reload }) => reload()),
  };
}

/** A section's three colors as a separate draft from its tab's. */
function useSectionColors(key: ColoredSettingsKey): Draft<ColoredSettingsKey> {
  const name = `${sectionName(key)} colors`;
  return useDraft(key, {
    part: "colors",
    name,
    group: LOOK_GROUP,
  }) as Draft<ColoredSettingsKey>;
}

/** Values to set in the drafts, or to restore. */
interface LookValues {
  readonly styles: Readonly<Record<string, unknown>>;
  readonly sections: Readonly<Partial<Record<ColoredSettingsKey, CustomColors>>>;
}

/** Sets values in the drafts without saving. Returns a function that restores the old ones. */
export function applyLook(drafts: LookDrafts, values: LookValues): () => void {
  const before = {
    styles: pickValues(drafts.styles.values, Object.keys(values.styles)),
    sections: Object.fromEntries(
      (Object.keys(values.sections) as ColoredSettingsKey[]).map((key) => [
        key,
        pickValues(drafts.sections[key].values, SECTION_COLOR_FIELDS) as CustomColors,
      ]),
    ),
  };
  setValues(drafts, values);
  return () => setValues(drafts, before);
}

function setValues({ styles, sections }: LookDrafts, values: LookValues): void {
  for (const [name, value] of Object.entries(values.styles))
    styles.setField(name as "headingFont", value as string);
  for (const [key, colors] of Object.entries(values.sections))
    for (const name of SECTION_COLOR_FIELDS)
      sections[key as ColoredSettingsKey].setField(name, colors[name] as string);
}

function pickValues(values: object, names: readonly string[]): Record<string, unknown> {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, byName[name]]));
}

/** Applies a look to both pages, with Undo in the toast. */
export function chooseLook(drafts: LookDrafts, look: Look): void {
  const undo = applyLook(drafts, look);
  showToast({
    title: `${look.label} applied to both pages`,
    description: "Save to publish the change",
    action: { label: "Undo", onPress: undo },
  });
}

/** The chosen look, and whether it was changed since; undefined for a custom set. */
export function findChosenLook(
  drafts: LookDrafts,
): { readonly look: Look; readonly changed: boolean } | undefined {
  const look = findLook(drafts.styles.values.look);
  if (!look) return undefined;
  const sameSections = COLORED_SETTINGS_KEYS.every((key) =>
    matchesAll(look.sections[key], drafts.sections[key].values),
  );
  return { look, changed: !(sameSections && matchesAll(look.styles, drafts.styles.values)) };
}

/** Whether all values match; colors ignore case. */
function matchesAll(expected: object, values: object): boolean {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(
    ([name, value]) => toComparable(value) === toComparable(byName[name]),
  );
}

const toComparable = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
