/** Press features: quotes in large type, names below. */
import type { CSSProperties } from "react";
import { computeContrastRatio } from "../../../schema/core/color.ts";
import type { Item } from "../../../schema/index.ts";
import type { Picture, Pictures } from "../../../schema/pictures/pictures.ts";
import { toSafePictureUrl } from "../../../schema/core/safeUrl.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { createTitleFitStyle } from "../parts/fitTitle.ts";
import { Photo } from "../parts/Photo.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";

/** Renders nothing without features (specification, section 2.3). */
export function Press({ content, pictures }: LoadedPage) {
  const features = content.pressFeatures ?? [];
  const settings = getSingletonValue(content, "pressSettings");
  if (features.length === 0) return null;
  return (
    <SectionShell id="press" className="press" settings={settings}>
      <ul className="features" data-count={features.length <= 6 ? features.length : undefined}>
        {features.map((feature) => (
          <li key={feature.id}>
            <PressFeature
              feature={feature}
              pictures={pictures}
              backgroundColor={settings.backgroundColor}
            />
          </li>
        ))}
      </ul>
    </SectionShell>
  );
}

function PressFeature({
  feature: { name, subtitle, description, logoUrl },
  pictures,
  backgroundColor,
}: {
  feature: Item<"pressFeatures">;
  pictures: Pictures;
  backgroundColor: string;
}) {
  const logo = pictures[toSafePictureUrl(logoUrl) ?? ""];
  const [large, small] =
    isQuotation(description) && !isQuotation(subtitle)
      ? [description, subtitle]
      : [subtitle, description];
  return (
    <article className="feature">
      <Photo
        src={logoUrl}
        pictures={pictures}
        sizes="7rem"
        className={isInvisibleOn(backgroundColor, logo) ? "feature-logo inverted" : "feature-logo"}
        style={logo && createLogoSize(logo)}
        isBlurred={false}
      />
      <h3 className="feature-name" dir="auto">
        <TextLine text={name} />
      </h3>
      <p className="feature-subtitle fitted" dir="auto" style={createTitleFitStyle(large)}>
        <TextLine text={large} />
      </p>
      {small && (
        <p className="feature-description" dir="auto">
          <TextLine text={small} />
        </p>
      )}
    </article>
  );
}

/** The maximum length of a quotation, in characters. A longer text counts as a description. */
const MAX_QUOTE_LENGTH = 200;

/** Whether a text begins with a quotation mark of any language. A quotation is set in large type. */
const isQuotation = (text: string | null): text is string =>
  text !== null && text.length <= MAX_QUOTE_LENGTH && /^\s?["“„«»‘‚'「『]/u.test(text);

/** The area and maximum size of logos, in rem. Equal areas keep wide logos from looking smaller than square ones. */
const LOGO_SIZE_REM = { area: 14, width: 7, height: 3 };

function createLogoSize(picture: Picture): CSSProperties {
  const aspect = picture.width / picture.height;
  const width = Math.min(
    Math.sqrt(LOGO_SIZE_REM.area * aspect),
    LOGO_SIZE_REM.width,
    LOGO_SIZE_REM.height * aspect,
  );
  return { width: `${width.toFixed(3)}rem` };
}

/** Whether a transparent logo is dark on a dark surface, or light on a light surface. */
function isInvisibleOn(backgroundColor: string, logo: Picture | undefined): boolean {
  const contrastWithWhite = computeContrastRatio(backgroundColor, "#FFFFFF");
  if (!logo?.tone || contrastWithWhite === undefined) return false;
  return logo.tone === (contrastWithWhite > 4.5 ? "dark" : "light");
}
