/** The Styles tab: fonts and colors for the whole site. */
import RotateCcw from "lucide-react/icons/rotate-ccw";
import { useEffect, useId } from "react";
import { initialValues } from "../../../schema/check.ts";
import { entities, type EntityKey } from "../../../schema/index.ts";
import { FONT_FAMILIES } from "../../../schema/styles.ts";
import type { PageContent } from "../../shared/content.ts";
import { defaultsOf } from "../../shared/defaults.ts";
import { requestFont } from "../../shared/fontLinks.ts";
import { useShell } from "../../shared/shell.ts";
import { Button } from "../../ui/Button.tsx";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { useEntity } from "../data/useEntity.ts";
import { Field } from "../editor/Field.tsx";
import { HistoryButton } from "../editor/HistoryButton.tsx";
import { Preview } from "../editor/Preview.tsx";
import { SaveButton } from "../editor/SaveButton.tsx";
import { Card, TabHead } from "../parts/Card.tsx";
import { FieldFrame } from "../parts/FieldFrame.tsx";
import { useSheet } from "../parts/useSheet.ts";
import { WhenRead } from "../parts/WhenRead.tsx";
import css from "./StylesTab.css" with { type: "text" };
import { readings, ThemeColors } from "./ThemeColors.tsx";

/** Two groups of fields, and the site in them. */
export function StylesTab() {
  useSheet(css);
  const draft = useDraft("styles");
  return (
    <>
      <TabHead title="Styles" note="Fonts and colors for the whole site.">
        <HistoryButton entity="styles" />
        <Button variant="quiet" onClick={() => reset(draft)}>
          <RotateCcw size={16} aria-hidden="true" /> Reset to Defaults
        </Button>
        <SaveButton drafts={[draft]}>Save Styles</SaveButton>
      </TabHead>
      <WhenRead of={draft} what="styles">
        {() => (
          <div className="columns">
            <div className="stack">
              <Typography draft={draft} />
              <ThemeColors draft={draft} />
            </div>
            <StylesPreview draft={draft} />
          </div>
        )}
      </WhenRead>
    </>
  );
}

/** Puts the defaults into the form; Save Styles makes them real. */
function reset(draft: Draft<"styles">): void {
  const defaults = initialValues(entities.styles.fields);
  for (const [name, value] of Object.entries(defaults))
    draft.set(name as "headingFont", value as string);
}

/** Fonts, sizes and corners: two fields beside each other where there is room. */
export function Typography({ draft }: { draft: Draft<"styles"> }) {
  return (
    <Card title="Typography">
      <div className="fields pairs">
        <FontField draft={draft} name="headingFont" />
        <FontField draft={draft} name="bodyFont" />
        <Field draft={draft} name="headingSize" />
        <Field draft={draft} name="bodySize" />
        <Field draft={draft} name="borderRadius" hint="How round corners are, such as 8px or 0." />
      </div>
    </Card>
  );
}

/** `name` is the field of the styles that holds the font. */
export interface FontFieldProps {
  readonly draft: Draft<"styles">;
  readonly name: "headingFont" | "bodyFont";
}

/** A list of fonts, and a line in the chosen one for browsers whose lists have one font only. */
export function FontField({ draft, name }: FontFieldProps) {
  const id = useId();
  const font = draft.values[name];
  useFonts();
  return (
    <FieldFrame id={id} label={entities.styles.fields[name].label} error={draft.errors[name]}>
      <select
        id={id}
        className="fonts"
        value={font}
        style={{ fontFamily: `"${font}"` }}
        onChange={({ target }) => draft.set(name, target.value)}
      >
        {[...new Set([...FONT_FAMILIES, font])].map((family) => (
          <option key={family} value={family} style={{ fontFamily: `"${family}"` }}>
            {family}
          </option>
        ))}
      </select>
      <p className="font-sample" aria-hidden="true" style={{ fontFamily: `"${font}"` }}>
        Own the room
      </p>
    </FieldFrame>
  );
}

/** Asks for the rules of every font; a browser fetches a font itself only where its letters show. */
function useFonts(): void {
  const { fontProvider } = useShell();
  useEffect(() => {
    for (const family of FONT_FAMILIES) requestFont(family, fontProvider);
  }, [fontProvider]);
}

function StylesPreview({ draft }: { draft: Draft<"styles"> }) {
  return (
    <Preview
      section={SHOWN}
      content={useHomeContent()}
      edited={draft.dirty.length > 0}
      checks={readings(draft.values)}
      scrolls
    />
  );
}

/** The sections that show every font, size and color between them. */
const SHOWN = ["hero", "about", "connect"] as const;

/** The owner's own words and pictures; the defaults until they are read. */
function useHomeContent(): PageContent {
  const { site } = useShell();
  const read = {
    hero: useEntity("hero").value,
    about: useEntity("about").value,
    statistics: useEntity("statistics").value,
    connectLinks: useEntity("connectLinks").value,
    connectSettings: useEntity("connectSettings").value,
  } satisfies Partial<Record<EntityKey, unknown>>;
  const known = Object.entries(read).filter(([, value]) => value !== undefined);
  return { ...defaultsOf(READS, site.name), ...Object.fromEntries(known) };
}

const READS = ["hero", "about", "statistics", "connectLinks", "connectSettings"] as const;
