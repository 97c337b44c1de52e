/** The Look subtab: six looks with the owner's text and image, typography and layout. */
import { useEffect } from "react";
import { FONT_FAMILIES } from "../../../../schema/sections/styles.ts";
import { entities } from "../../../../schema/index.ts";
import type { PageContent } from "../../../shared/content.ts";
import { loadFont } from "../../../shared/fontLinks.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { Button } from "../../../ui/Button.tsx";
import type { Draft } from "../../data/useDraft.ts";
import { Field, createFieldState } from "../../editor/Field.tsx";
import { Card } from "../../parts/Card.tsx";
import { pickAriaAttributes, Field as LabeledField } from "../../../ui/Field.tsx";
import { chooseLook, findChosenLook, type LookDrafts } from "./lookDrafts.ts";
import { LookChoice } from "./LookChoice.tsx";

interface LookSubtabProps {
  readonly drafts: LookDrafts;
  readonly content: PageContent;
}

export function LookSubtab({ drafts, content }: LookSubtabProps) {
  const chosenLook = findChosenLook(drafts);
  const lookLabel =
    chosenLook &&
    (chosenLook.isChanged ? `${chosenLook.look.label} (edited)` : chosenLook.look.label);
  return (
    <>
      <Card
        title="Look"
        note={lookLabel ?? "fonts, colors and corners together"}
        actions={
          chosenLook?.isChanged && (
            <Button size="small" onClick={() => chooseLook(drafts, chosenLook.look)}>
              Reset to {chosenLook.look.label}
            </Button>
          )
        }
      >
        <LookChoice
          content={content}
          selectedName={chosenLook?.look.name}
          onChoose={(look) => chooseLook(drafts, look)}
        />
      </Card>
      <Typography draft={drafts.styles} lookLabel={lookLabel} />
      <Card title="Layout and images" note={lookLabel && `from ${lookLabel}`}>
        <div className="split gap-16 align-start">
          <Field
            draft={drafts.styles}
            name="heroLayout"
            hint={LAYOUT_DESCRIPTIONS[drafts.styles.values.heroLayout]}
          />
          <Field draft={drafts.styles} name="pictures" />
        </div>
      </Card>
    </>
  );
}

const LAYOUT_DESCRIPTIONS = {
  stage: "Text over the image.",
  center: "Text below the person.",
  split: "Text next to the image.",
  card: "Image in a frame.",
} as const;

interface TypographyProps {
  readonly draft: Draft<"styles">;
  readonly lookLabel: string | undefined;
}

function Typography({ draft, lookLabel }: TypographyProps) {
  return (
    <Card title="Typography" note={lookLabel && `from ${lookLabel}`}>
      <div className="split gap-16 align-start">
        <FontField draft={draft} name="headingFont" />
        <FontField draft={draft} name="bodyFont" />
        <Field draft={draft} name="headingSize" />
        <Field draft={draft} name="bodySize" />
        <Field draft={draft} name="headingWeight" />
        <Field draft={draft} name="headingCase" />
        <Field draft={draft} name="headingTracking" />
        <Field draft={draft} name="borderRadius" hint="Roundness of corners, such as 8px or 0." />
      </div>
    </Card>
  );
}

interface FontFieldProps {
  readonly draft: Draft<"styles">;
  readonly name: "headingFont" | "bodyFont";
}

/** A choice of fonts. The sample line is for browsers that can't show each option in its font. */
function FontField({ draft, name }: FontFieldProps) {
  const font = draft.values[name];
  useLoadAllFonts();
  return (
    <LabeledField state={createFieldState(draft, name)} label={entities.styles.fields[name].label}>
      {(control, change) => (
        <>
          <select
            {...pickAriaAttributes(control)}
            className="fonts"
            value={font}
            style={{ fontFamily: `"${font}"` }}
            onChange={({ target }) => change(target.value)}
          >
            {[...new Set([...FONT_FAMILIES, font])].map((family) => (
              <option key={family} value={family} style={{ fontFamily: `"${family}"` }}>
                {family}
              </option>
            ))}
          </select>
          <p
            className="font-sample quiet truncate"
            aria-hidden="true"
            style={{ fontFamily: `"${font}"` }}
          >
            Own the room
          </p>
        </>
      )}
    </LabeledField>
  );
}

/** Loads the CSS of all fonts. Browsers load a font itself only when it is used. */
function useLoadAllFonts(): void {
  const { fontProvider } = usePageContext();
  useEffect(() => {
    for (const family of FONT_FAMILIES) loadFont(family, fontProvider);
  }, [fontProvider]);
}
