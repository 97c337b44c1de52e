/** The Colors subtab: each color with its contrast, a fix for hard-to-read text, and Apply to all. */
import ArrowRight from "lucide-react/icons/arrow-right";
import { computeContrastRatio, formatContrastRatio } from "../../../../schema/core/color.ts";
import type { Item } from "../../../../schema/index.ts";
import {
  THEME_COLORS,
  canUseThemeColors,
  COLORED_SETTINGS_KEYS,
  type ColoredSettingsKey,
  getSectionName,
} from "../../../../schema/looks/looks.ts";
import { assertDefined } from "../../../../schema/core/assertDefined.ts";
import { Button } from "../../../ui/Button.tsx";
import { Field } from "../../editor/Field.tsx";
import type { FieldOverrides, ContrastReference } from "../../editor/inputProps.ts";
import { Badge, Card } from "../../parts/Card.tsx";
import { type LookDrafts, applyLook, matchesAll } from "./lookDrafts.ts";
import {
  type ColorName,
  isHardToRead,
  isReadable,
  findReadableColors,
  type MeasurePhotoContrasts,
  COLOR_PAIRS,
  type Palette,
  createPalette,
  measureContrasts,
} from "./contrast.ts";

type StylesTheme = Item<"styles">;

interface ColorsSubtabProps {
  readonly drafts: LookDrafts;
  readonly measurePhotos: MeasurePhotoContrasts;
}

export function ColorsSubtab({ drafts, measurePhotos }: ColorsSubtabProps) {
  const palette = createPalette(drafts);
  const hardToReadCount = measureContrasts(palette, measurePhotos).filter(isHardToRead).length;
  const theme = drafts.styles.values;
  return (
    <>
      <Card
        title="Colors"
        note="Aim for a contrast of 4.5:1"
        actions={hardToReadCount > 0 && <Badge tone="warn">{hardToReadCount} hard to read</Badge>}
      >
        {hardToReadCount > 0 && (
          <ContrastFix drafts={drafts} palette={palette} measurePhotos={measurePhotos} />
        )}
        <Fields drafts={drafts} fields={createFieldOverrides(theme, palette)} />
      </Card>
      <Card title="Hero" note="Leave empty to use the page's colors">
        <Fields drafts={drafts} fields={createHeroFieldOverrides(theme)} />
      </Card>
      {theme.pictures === "oneTone" && (
        <Card title="Duotone" note="The colors that tint your images">
          <Fields drafts={drafts} fields={{ toneShadow: {}, toneMiddle: {}, toneLight: {} }} />
        </Card>
      )}
      <ApplyColorsEverywhere drafts={drafts} />
    </>
  );
}

interface FieldsProps {
  readonly drafts: LookDrafts;
  readonly fields: Readonly<Record<string, FieldOverrides>>;
}

function Fields({ drafts, fields }: FieldsProps) {
  return (
    <div className="fields">
      {Object.entries(fields).map(([name, overrides]) => (
        <Field key={name} draft={drafts.styles} name={name} {...overrides} />
      ))}
    </div>
  );
}

function createFieldOverrides(
  theme: StylesTheme,
  palette: Palette,
): Record<string, FieldOverrides> {
  const textContrast = { color: theme.textColor, message: "Text is hard to read on this color" };
  const heroTextContrast = { ...textContrast, color: theme.heroTextColor ?? theme.textColor };
  return {
    backgroundColor: { hint: "The page background." },
    textColor: { hint: "Headings and text.", contrastWith: findHardestBackground(theme) },
    // Text on buttons and links always gets a readable color, so its contrast isn't measured.
    primaryColor: { hint: "Buttons, links and highlights." },
    accentColor: {
      hint: "Press names and small details.",
      contrastWith: {
        color: palette["pressSettings.backgroundColor"],
        message: "Hard to read in the Press section",
      },
    },
    heroBackgroundColor: {
      hint: "Behind the hero image and while it loads.",
      contrastWith: heroTextContrast,
    },
    aboutBackgroundColor: { hint: "Behind the About section.", contrastWith: textContrast },
    sectionBackgroundColor: {
      hint: "Behind sections without their own color.",
      contrastWith: textContrast,
    },
  };
}

function createHeroFieldOverrides(theme: StylesTheme): Record<string, FieldOverrides> {
  const message = "Hard to read on the hero background";
  const heroContrast = { color: theme.heroBackgroundColor, message };
  return {
    heroTextColor: {
      hint: "The name and the tagline.",
      fallbackColor: theme.textColor,
      contrastWith: heroContrast,
    },
    heroAccentColor: {
      hint: "The line below the name.",
      fallbackColor: theme.primaryColor,
      contrastWith: heroContrast,
    },
    heroButtonColor: { hint: "The button.", fallbackColor: theme.primaryColor },
  };
}

const BACKGROUND_NAMES = {
  backgroundColor: "the background",
  heroBackgroundColor: "the hero background",
  aboutBackgroundColor: "the about background",
  sectionBackgroundColor: "the section background",
} as const;

/** Returns the background that has the least contrast with the text. */
function findHardestBackground(theme: StylesTheme): ContrastReference {
  const names = (Object.keys(BACKGROUND_NAMES) as (keyof typeof BACKGROUND_NAMES)[]).filter(
    (name) => name !== "heroBackgroundColor" || theme.heroTextColor === null,
  );
  const computeRatio = (name: (typeof names)[number]) =>
    computeContrastRatio(theme.textColor, theme[name]) ?? 21;
  const hardest = names.reduce((lowest, each) =>
    computeRatio(each) < computeRatio(lowest) ? each : lowest,
  );
  return { color: theme[hardest], message: `Hard to read on ${BACKGROUND_NAMES[hardest]}` };
}

interface ContrastFixProps extends ColorsSubtabProps {
  readonly palette: Palette;
}

function ContrastFix({ drafts, palette, measurePhotos }: ContrastFixProps) {
  const colorChanges = Object.entries(findReadableColors(palette, measurePhotos)) as [
    ColorName,
    string,
  ][];
  if (colorChanges.length === 0) return <PhotoAdvice />;
  const fixedPalette = { ...palette, ...Object.fromEntries(colorChanges) };
  const count = colorChanges.length;
  const fixContrast = () => {
    const description = count === 1 ? "One color was changed" : `${count} colors were changed`;
    applyLook(drafts, createLookValues(colorChanges, drafts), "Contrast fixed", description);
  };
  return (
    <div className="contrast-fix pad justify-between cluster gap-12">
      <p className="title-note quiet full-width">
        <strong>Some text is hard to read</strong>
        <span>
          Fix contrast adjusts these colors together. Text that is easy to read stays that way.
        </span>
      </p>
      <ul className="cluster grow">
        {colorChanges.map(([name, color]) => (
          <li key={name} className="row small">
            <span className="fix-swatch" style={{ backgroundColor: palette[name] }} />
            <ArrowRight size={14} aria-label="becomes" />
            <span className="fix-swatch" style={{ backgroundColor: color }} />
            {createColorLabel(name)} {formatLowestContrast(fixedPalette, name)}
          </li>
        ))}
      </ul>
      <Button variant="primary" onClick={fixContrast}>
        Fix contrast
      </Button>
    </div>
  );
}

/** The advice if no text color is readable. This can happen only on a photo. */
const PhotoAdvice = () => (
  <div className="contrast-fix pad">
    <p className="title-note quiet">
      <strong>Some text on a photo is hard to read</strong>
      <span>No color is readable on this photo. Choose another photo or another hero layout.</span>
    </p>
  </div>
);

function createColorLabel(name: ColorName): string {
  const pair = COLOR_PAIRS.find((each) => each.text === name);
  if (pair)
    return name.startsWith("styles.")
      ? pair.textLabel
      : `${pair.textLabel} in ${pair.backgroundLabel}`;
  const backgroundPair = COLOR_PAIRS.find((each) => each.background === name);
  const { backgroundLabel } = assertDefined(backgroundPair, `pair with ${name}`);
  return backgroundLabel.charAt(0).toUpperCase() + backgroundLabel.slice(1);
}

function formatLowestContrast(palette: Palette, name: ColorName): string {
  const pairs = measureContrasts(palette).filter((each) =>
    [each.text, each.background].includes(name),
  );
  return formatContrastRatio(Math.min(...pairs.map(({ ratio }) => ratio)));
}

/** A hero text color that follows the page's text color stays unset. */
function createLookValues(changes: readonly [ColorName, string][], drafts: LookDrafts) {
  const styleValues: Record<string, string | null> = {};
  const sectionValues: Partial<Record<ColoredSettingsKey, any>> = {};
  for (const [name, color] of changes) {
    const [entity, field] = name.split(".") as ["styles" | ColoredSettingsKey, string];
    if (entity === "styles") styleValues[field] = color;
    else
      sectionValues[entity] = {
        ...(sectionValues[entity] ?? drafts.sections[entity].values),
        [field]: color,
      };
  }
  const { textColor, heroTextColor } = drafts.styles.values;
  const pageTextColor = styleValues["textColor"] ?? textColor;
  if (heroTextColor === null && styleValues["heroTextColor"] === pageTextColor)
    styleValues["heroTextColor"] = null;
  return { styles: styleValues, sections: sectionValues };
}

function ApplyColorsEverywhere({ drafts }: { drafts: LookDrafts }) {
  const colors = createThemeSectionColors(drafts.styles.values);
  const findThemeColors = (key: ColoredSettingsKey) =>
    canUseThemeColors(key) ? THEME_COLORS : colors;
  const customKeys = COLORED_SETTINGS_KEYS.filter(
    (key) => !matchesAll(findThemeColors(key), drafts.sections[key].values),
  );
  const applyColors = () => {
    const sections = Object.fromEntries(customKeys.map((key) => [key, findThemeColors(key)]));
    applyLook(drafts, { styles: {}, sections }, "Colors applied to every section");
  };
  return (
    <Card title="Apply to all sections">
      <div className="justify-between row cluster gap-12">
        <p className="quiet small grow">{createColoredSectionsMessage(customKeys)}</p>
        <Button disabled={customKeys.length === 0} onClick={applyColors}>
          Apply to all
        </Button>
      </div>
    </Card>
  );
}

function createColoredSectionsMessage(sections: readonly ColoredSettingsKey[]): string {
  if (sections.length === 0) return "Every section has these colors.";
  const names = sections.map((key) => getSectionName(key)).join(", ");
  return sections.length === 1
    ? `1 section has its own colors: ${names}.`
    : `${sections.length} sections have their own colors: ${names}.`;
}

function createThemeSectionColors(theme: StylesTheme) {
  const { sectionBackgroundColor, textColor, primaryColor, accentColor } = theme;
  return {
    backgroundColor: sectionBackgroundColor,
    textColor,
    accentColor:
      [primaryColor, accentColor].find((color) => isReadable(color, sectionBackgroundColor)) ??
      textColor,
  };
}
