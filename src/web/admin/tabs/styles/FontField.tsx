/** Chooses one of the fonts, each shown in its own letters (spec section 9, "Choices"). */
import { useEffect, useId } from "react";
import { entities } from "../../../../schema/index.ts";
import { FONT_FAMILIES } from "../../../../schema/site.ts";
import { requestFont } from "../../../fontLinks.ts";
import { useShell } from "../../../shell.ts";
import type { Draft } from "../../drafts/useDraft.ts";
import { FieldFrame } from "../../parts/FieldFrame.tsx";

/** `name` is the field of the styles that holds the font. */
export interface FontFieldProps {
  readonly draft: Draft<"styles">;
  readonly name: "headingFont" | "bodyFont";
}

/** Shows the list and a line in the chosen font, for browsers whose lists have one font only. */
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
