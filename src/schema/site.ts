/** The site as a whole: whose it is, and its typography and colors (specification, sections 3.2 and 3.10). */
import { singleton } from "./entity.ts";
import { updatesOf } from "./messages.ts";
import {
  choice,
  color,
  length,
  optionalEmail,
  optionalLink,
  optionalText,
  plainName,
  text,
} from "./fields.ts";

export const site = singleton("site", "Site", {
  incomplete: "The site needs a name",
  fields: {
    name: text("Site name", { required: true, initial: "Your Name", maxLength: 80 }),
    contactEmail: optionalEmail("Contact email"),
    agencyName: optionalText("Credit", {
      maxLength: 80,
      hint: "Who designed the site, shown in the footer.",
    }),
    agencyUrl: optionalLink("Credit link"),
  },
});

/** The fonts offered, in the order of specification, section 9. */
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

const BODY_SIZES = HEADING_SIZES.slice(0, 3) as unknown as readonly [
  (typeof HEADING_SIZES)[0],
  (typeof HEADING_SIZES)[1],
  (typeof HEADING_SIZES)[2],
];

const fonts = FONT_FAMILIES.map((family) => ({ value: family, label: family }));

export const styles = singleton("styles", "Styles", {
  messages: updatesOf("Site styles"),
  fields: {
    headingFont: plainName("Heading Font", fonts, "Bebas Neue"),
    bodyFont: plainName("Body Font", fonts, "Inter"),
    primaryColor: color("Primary Color", "#00BFFF"),
    backgroundColor: color("Background Color", "#000000"),
    textColor: color("Text Color", "#FFFFFF"),
    accentColor: color("Accent Color", "#C0C0C0"),
    borderRadius: length("Border Radius", "8px"),
    headingSize: choice("Heading Size", HEADING_SIZES, "large"),
    bodySize: choice("Body Size", BODY_SIZES, "medium"),
    heroBackgroundColor: color("Hero Background", "#0A0A0A"),
    aboutBackgroundColor: color("About Background", "#1A1A1A"),
    sectionBackgroundColor: color("Section Background", "#0A0A0A"),
  },
});
