/** The look of the site: typography, colors, layout, and the order of its sections (specification, section 3.10). */
import { singleton } from "../entities/entity.ts";
import {
  choice,
  color,
  cssLength,
  nameList,
  optionalColor,
  optionalCssLength,
  plainName,
  wholeNumber,
} from "../kinds/fields.ts";
import { FONT_WEIGHTS } from "./fonts.ts";
import { createUpdateMessages } from "../entities/messages.ts";

/** The fonts that owners can choose, in the order prescribed in section 9 of the specification. */
export const FONT_FAMILIES = [
  "Bebas Neue",
  "Inter",
  "Montserrat",
  "Roboto",
  "Oswald",
  "Playfair Display",
  "Raleway",
  "Poppins",
  "Lato",
  "Source Sans Pro",
  "Open Sans",
  "Nunito",
  "Merriweather",
  "PT Sans",
  "Lora",
] as const;

const HEADING_SIZES = [
  { value: "small", label: "Small" },
  { value: "medium", label: "Medium" },
  { value: "large", label: "Large" },
  { value: "xlarge", label: "Extra large" },
] as const;

const [SMALL, MEDIUM, LARGE] = HEADING_SIZES;
const BODY_SIZES = [SMALL, MEDIUM, LARGE] as const;

/** The choices for the look, by the names in looks.ts. "own" means custom styles, with which every site starts. */
const LOOK_NAMES = [
  { value: "own", label: "Custom" },
  { value: "spotlight", label: "Spotlight" },
  { value: "broadway", label: "Broadway" },
  { value: "daylight", label: "Daylight" },
  { value: "velvet", label: "Velvet" },
  { value: "neon", label: "Neon" },
  { value: "studio", label: "Studio" },
] as const;

const weightChoices = FONT_WEIGHTS.map((weight) => ({
  value: String(weight),
  label: String(weight),
}));

const HEADING_CASES = [
  { value: "asTyped", label: "As typed" },
  { value: "capitals", label: "All caps" },
] as const;

/** The choices for the letter spacing of headings. Their values in em are in theme.ts. */
const HEADING_TRACKINGS = [
  { value: "tightest", label: "Very tight" },
  { value: "tighter", label: "Tight" },
  { value: "tight", label: "Slightly tight" },
  { value: "normal", label: "Normal" },
  { value: "wide", label: "Wide" },
] as const;

const HERO_LAYOUTS = [
  { value: "stage", label: "Stage" },
  { value: "center", label: "Center" },
  { value: "split", label: "Split" },
  { value: "card", label: "Card" },
] as const;

const PICTURE_TREATMENTS = [
  { value: "asShot", label: "Original" },
  { value: "oneTone", label: "Duotone" },
] as const;

const fontChoices = FONT_FAMILIES.map((family) => ({ value: family, label: family }));

export const styles = singleton("styles", "Styles", {
  messages: createUpdateMessages("Site styles"),
  version: 2,
  fields: {
    headingFont: plainName("Heading Font", fontChoices, "Bebas Neue"),
    bodyFont: plainName("Body Font", fontChoices, "Inter"),
    primaryColor: color("Primary Color", "#00BFFF"),
    backgroundColor: color("Background Color", "#000000"),
    textColor: color("Text Color", "#FFFFFF"),
    accentColor: color("Accent Color", "#C0C0C0"),
    borderRadius: cssLength("Border Radius", "8px"),
    headingSize: choice("Heading Size", HEADING_SIZES, "large"),
    bodySize: choice("Body Size", BODY_SIZES, "medium"),
    heroBackgroundColor: color("Hero Background", "#0A0A0A"),
    aboutBackgroundColor: color("About Background", "#1A1A1A"),
    sectionBackgroundColor: color("Section Background", "#0A0A0A"),
    look: choice("Look", LOOK_NAMES, "own"),
    headingWeight: choice("Heading Weight", weightChoices, "700"),
    headingCase: choice("Heading Case", HEADING_CASES, "asTyped"),
    headingTracking: choice("Heading Spacing", HEADING_TRACKINGS, "normal"),
    headingScale: wholeNumber("Heading Scale", 100, { min: 40, max: 150 }),
    heroLayout: choice("Hero Layout", HERO_LAYOUTS, "stage"),
    // If null, the hero uses the page's colors, and images use `borderRadius`.
    heroTextColor: optionalColor("Hero Text"),
    heroAccentColor: optionalColor("Hero Accent"),
    heroButtonColor: optionalColor("Hero Button"),
    pictureRadius: optionalCssLength("Image Radius"),
    pictures: choice("Images", PICTURE_TREATMENTS, "asShot"),
    toneShadow: color("Dark Tone", "#0A0A0A"),
    toneMiddle: color("Middle Tone", "#6E6B67"),
    toneLight: color("Light Tone", "#FFFFFF"),
    sectionOrder: nameList("Order of Sections"),
    hiddenSections: nameList("Hidden Sections"),
  },
});
