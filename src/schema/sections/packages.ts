/** The extra Packages: the owner's offers, their prices, and where to book or pay. */
import { DEFAULT_ARRANGEMENT, collection } from "../entities/entity.ts";
import type { Extra } from "../entities/extra.ts";
import { longText, optionalLink, optionalText, order, text, toggle } from "../kinds/fields.ts";
import { createSectionPlaceField, createExtraSettings } from "./sectionSettings.ts";
import { textLines } from "../kinds/textKinds.ts";
import { createDisplayPeriodFields } from "../entities/displayPeriod.ts";

export const extra: Extra = {
  label: "Packages",
  description: "What you offer, what it costs, and where to pay.",
  group: "coaching",
};

export const packages = collection("packages", "Package", {
  extra: "packages",
  section: "Packages",
  maxItems: 12,
  missingFieldMessage: "A package needs a title",
  tab: {
    emptyListHint: "Add a package with its price.",
    listSubtab: ["packages", "Packages"],
    addLabel: "Add Package",
    dialogTitles: ["Add Package", "Edit Package"],
    saveLabels: ["Save", "Save"],
    fieldsRequiredToSave: ["title"],
    formRows: [
      ["price", "per"],
      ["featured", "isActive"],
    ],
    previewPosition: "inSubtab",
    examples: [{ featured: true }, { title: "A single session", price: "£90", per: "60 minutes" }],
  },
  arrangement: DEFAULT_ARRANGEMENT,
  settingsKey: "packageSettings",
  activeField: "isActive",
  fields: {
    title: text("Title", { required: true, maxLength: 80, placeholder: "Twelve weeks" }),
    price: optionalText("Price", { maxLength: 40, placeholder: "£450" }),
    per: optionalText("Includes (such as 6 sessions)", {
      maxLength: 40,
      placeholder: "6 sessions",
    }),
    description: longText("Description", { maxLength: 600 }),
    points: textLines("What's included", 12),
    buttonText: text("Button Text", { maxLength: 40, initial: "Book" }),
    buttonLink: optionalLink("Button Link", {
      hint: "A payment link (Stripe, PayPal) or a booking calendar. Leave empty to link to your enquiry form.",
    }),
    featured: toggle("Highlight this package", false),
    isActive: toggle("Show on the site", true),
    order: order(),
    ...createDisplayPeriodFields(),
  },
});

export const packageSettings = createExtraSettings("packageSettings", "Packages", {
  smallPrint: longText("Small print", { maxLength: 500, placeholder: "Prices include VAT." }),
  place: createSectionPlaceField(),
});
