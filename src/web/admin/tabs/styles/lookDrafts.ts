/** What the Styles tab edits at once: the styles, and the colors that sections have of their own. */
import {
  COLORED,
  type Colored,
  type Look,
  lookNamed,
  type OwnColors,
  sectionNameOf,
} from "../../../../schema/looks.ts";
import { showToast } from "../../../ui/toast.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";

/** Visitors see all of a look or nothing of it. */
const GROUP = "look";

export const SECTION_COLORS = ["backgroundColor", "textColor", "accentColor"] as const;

/** The drafts of everything that a look sets. */
export interface LookDrafts {
  readonly styles: Draft<"styles">;
  readonly sections: Readonly<Record<Colored, Draft<Colored>>>;
  /** All of them, for the button that saves them. */
  readonly all: readonly Draft[];
  /** Whether all are read: until then the values are defaults, and Undo would bring those back. */
  readonly ready: boolean;
  readonly loadError: Error | null;
  readonly reload: () => void;
}

export function useLookDrafts(): LookDrafts {
  const styles = useDraft("styles", { group: GROUP });
  const sections = Object.fromEntries(
    // oxlint-disable-next-line react/hooks -- the same ones each time: the list is declared
    COLORED.map((key) => [key, useSectionColors(key)]),
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

/** The three colors of a section as a draft of their own, apart from what its tab edits. */
function useSectionColors(key: Colored): Draft<Colored> {
  const name = `${sectionNameOf(key)} colors`;
  return useDraft(key, {
    part: "colors",
    name,
    send: SECTION_COLORS,
    group: GROUP,
  }) as Draft<Colored>;
}

/** Values of the drafts, to be put into them and to be brought back. */
interface LookValues {
  readonly styles: Readonly<Record<string, unknown>>;
  readonly sections: Readonly<Partial<Record<Colored, OwnColors>>>;
}

/** Puts values into the drafts; nothing is saved yet. Returns how to bring back what was there. */
export function putInto(drafts: LookDrafts, values: LookValues): () => void {
  const before = {
    styles: only(drafts.styles.values, Object.keys(values.styles)),
    sections: Object.fromEntries(
      (Object.keys(values.sections) as Colored[]).map((key) => [
        key,
        only(drafts.sections[key].values, SECTION_COLORS) as OwnColors,
      ]),
    ),
  };
  put(drafts, values);
  return () => put(drafts, before);
}

function put({ styles, sections }: LookDrafts, values: LookValues): void {
  for (const [name, value] of Object.entries(values.styles))
    styles.set(name as "headingFont", value as string);
  for (const [key, colors] of Object.entries(values.sections))
    for (const name of SECTION_COLORS) sections[key as Colored].set(name, colors[name] as string);
}

function only(values: object, names: readonly string[]): Record<string, unknown> {
  const known = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, known[name]]));
}

/** Puts a look on both pages; the toast takes it back. */
export function chooseLook(drafts: LookDrafts, look: Look): void {
  const undo = putInto(drafts, look);
  showToast({
    title: `${look.label} on both pages`,
    description: "Visitors see it once you save.",
    action: { label: "Undo", onPress: undo },
  });
}

/** The look that was chosen, and whether something of it was changed since; undefined for one's own set. */
export function chosenLook(
  drafts: LookDrafts,
): { readonly look: Look; readonly changed: boolean } | undefined {
  const look = lookNamed(drafts.styles.values.look);
  if (!look) return undefined;
  const sameSections = COLORED.every((key) =>
    isWithin(look.sections[key], drafts.sections[key].values),
  );
  return { look, changed: !(sameSections && isWithin(look.styles, drafts.styles.values)) };
}

/** Whether every value is there; colors are the same in capitals and small letters. */
function isWithin(expected: object, values: object): boolean {
  const known = values as Readonly<Record<string, unknown>>;
  return Object.entries(expected).every(([name, value]) => plain(value) === plain(known[name]));
}

const plain = (value: unknown) => (typeof value === "string" ? value.toLowerCase() : value);
