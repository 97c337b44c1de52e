/** The example rows of an empty list: not interactive, and hidden from screen readers. */
import Image from "lucide-react/icons/image";
import type { ReactNode } from "react";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./examples.css" with { type: "text" };
import { getInitialValues } from "../../../schema/entities/check.ts";
import type { Field } from "../../../schema/kinds/fields.ts";
import { type DocumentKey, entities, type Entity, type Item } from "../../../schema/index.ts";
import type { ExampleItem } from "../../../schema/entities/sectionTab.ts";

export function ExampleList({ rows }: { readonly rows: readonly ReactNode[] }) {
  useStylesheet(css);
  return (
    <div className="example" inert aria-hidden="true">
      <p className="pad quiet small">For example</p>
      <div className="divided">
        {rows.map((row, index) => (
          <div key={index} className="list-row">
            <div className="row-line row">{row}</div>
          </div>
        ))}
      </div>
    </div>
  );
}

export const ExamplePicture = () => (
  <span className="row-picture well center quiet">
    <Image size={16} />
  </span>
);

type ExamplePair = readonly [ExampleItem, ExampleItem];

/** Extras declare their examples themselves (`tab.examples`). */
const SECTION_EXAMPLES: Readonly<Record<string, ExamplePair>> = {
  statistics: [{}, { value: "250", label: "Shows played" }],
  highlights: [
    { title: "Opening night", subtitle: "Grand Theatre, Leeds" },
    { title: "The late set", subtitle: "With special guests" },
  ],
  connectLinks: [
    { displayText: "@{handle}", url: "https://instagram.com/{handle}" },
    { platform: "youtube", displayText: "{name}", url: "https://youtube.com/@{handle}" },
  ],
  pressFeatures: [
    { name: "The Evening Post", subtitle: '"{name} fills the house"' },
    { name: "Harbour FM", subtitle: "In conversation with {name}" },
  ],
  transformations: [
    { title: "Mia, after twelve weeks" },
    { title: "Tom, from the back row to the front" },
  ],
} satisfies { readonly [K in DocumentKey]?: readonly [Partial<Item<K>>, Partial<Item<K>>] };

/** Returns examples with the site's name filled in. Empty if the entity has no examples. */
export function createExamples<K extends DocumentKey>(
  entity: K,
  siteName: string,
): readonly Item<K>[] {
  const { fields, tab }: Entity = entities[entity];
  const replacements: Readonly<Record<string, string>> = {
    name: siteName,
    handle: siteName.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ""),
    year: String(new Date().getFullYear()),
  };
  const replacePlaceholders = (value: unknown) =>
    typeof value === "string"
      ? value.replaceAll(/\{(\w+)\}/g, (_, key) => replacements[key] ?? "")
      : value;
  return (SECTION_EXAMPLES[entity] ?? tab?.examples ?? []).map((example, index) => {
    const exampleFields = index === 0 ? { ...createPlaceholderItem(fields), ...example } : example;
    const values = Object.entries(exampleFields).map(([key, value]) => [
      key,
      replacePlaceholders(value),
    ]);
    const item = { ...getInitialValues(fields), ...Object.fromEntries(values), order: index };
    return item as Item<K>;
  });
}

const createPlaceholderItem = (fields: Readonly<Record<string, Field>>): ExampleItem =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { placeholder }]) =>
      placeholder ? [[name, placeholder]] : [],
    ),
  );
