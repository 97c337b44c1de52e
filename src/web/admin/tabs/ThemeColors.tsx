/** The seven colors of the site, and how well words in and on them can be read (WCAG 2.2, 1.4.3). */
import { contrastRatio } from "../../../schema/contrast.ts";
import type { Item } from "../../../schema/index.ts";
import type { Draft } from "../data/useDraft.ts";
import { READABLE } from "../editor/ColorField.tsx";
import { Field } from "../editor/Field.tsx";
import type { FieldOverrides, ReadAgainst } from "../editor/inputProps.ts";
import type { PreviewCheck } from "../editor/Preview.tsx";
import { Badge, Card } from "../parts/Card.tsx";

/** Each color with its use; the head counts the warnings. */
export function ThemeColors({ draft }: { draft: Draft<"styles"> }) {
  const hard = readings(draft.values).filter(({ ok }) => !ok).length;
  return (
    <Card
      title="Colors"
      note="Aim for 4.5 : 1"
      actions={hard > 0 && <Badge tone="warn">{hard} hard to read</Badge>}
    >
      <div className="fields">
        {Object.entries(fieldsFor(draft.values)).map(([name, overrides]) => (
          <Field key={name} draft={draft} name={name} {...overrides} />
        ))}
      </div>
    </Card>
  );
}

function fieldsFor(theme: Item<"styles">): Record<string, FieldOverrides> {
  const against = { color: theme.textColor, words: "Text is hard to read on this color" };
  return {
    backgroundColor: { hint: "Behind everything." },
    textColor: { hint: "Headings and text.", against: hardestFor(theme) },
    primaryColor: { hint: "Buttons, links and highlights." },
    accentColor: { hint: "Press names and small details." },
    heroBackgroundColor: { hint: "Behind the first picture and while it loads.", against },
    aboutBackgroundColor: { hint: "Behind your story.", against },
    sectionBackgroundColor: { hint: "Behind sections without a color of their own.", against },
  };
}

const BACKGROUNDS = {
  backgroundColor: "the background",
  heroBackgroundColor: "the hero background",
  aboutBackgroundColor: "the about background",
  sectionBackgroundColor: "the section background",
} as const;

/** Text that can be read where it is hardest can be read everywhere. */
function hardestFor(theme: Item<"styles">): ReadAgainst {
  const names = Object.keys(BACKGROUNDS) as (keyof typeof BACKGROUNDS)[];
  const ratio = (name: (typeof names)[number]) => contrastRatio(theme.textColor, theme[name]) ?? 21;
  const [hardest] = [...names].sort((a, b) => ratio(a) - ratio(b));
  return { color: theme[hardest!], words: `Hard to read on ${BACKGROUNDS[hardest!]}` };
}

type Theme = Item<"styles">;

/** What is read on what: words, their color, where they stand, its color. */
const PAIRS: readonly [string, keyof Theme, string, keyof Theme][] = [
  ["Text", "textColor", "the background", "backgroundColor"],
  ["Primary", "primaryColor", "the background", "backgroundColor"],
  ["Accent", "accentColor", "the background", "backgroundColor"],
  ["Text", "textColor", "the hero background", "heroBackgroundColor"],
  ["Text", "textColor", "the about background", "aboutBackgroundColor"],
  ["Text", "textColor", "the section background", "sectionBackgroundColor"],
];

/** One check per pair of colors; pairs that are not hex colors are left out. */
export function readings(theme: Theme): PreviewCheck[] {
  const found = PAIRS.flatMap(([words, color, place, background]) => {
    const ratio = contrastRatio(String(theme[color]), String(theme[background]));
    return ratio === undefined ? [] : [{ words, place, ratio }];
  });
  const hard = found.filter(({ ratio }) => ratio < READABLE);
  const least = Math.min(...found.map(({ ratio }) => ratio));
  if (hard.length === 0 && found.length > 0)
    return [{ ok: true, strong: "Everything is easy to read", figure: figureOf(least) }];
  return hard.map(({ words, place, ratio }) => ({
    ok: false,
    strong: words,
    rest: `fades into ${place}`,
    figure: figureOf(ratio),
  }));
}

function figureOf(ratio: number): string {
  return `${ratio.toFixed(1)} : 1`;
}
