/** The Hero tab: text, background, button, and previews with checks. */
import {
  computeContrastRatio,
  formatContrastRatio,
  MIN_CONTRAST,
} from "../../../schema/core/color.ts";
import { formatCount } from "../../../schema/core/formatNumber.ts";
import { type Content, entities } from "../../../schema/index.ts";
import { type Upload, useUploads } from "../data/uploads.ts";
import { usePermission } from "../data/session.ts";
import { useEntity } from "../data/useEntity.ts";
import { type Draft, useDraft } from "../data/useDraft.ts";
import { EntityForm, Field } from "../editor/Field.tsx";
import { HistoryButton, SaveButton } from "../editor/tabButtons.tsx";
import { Preview, type PreviewCheck } from "../editor/Preview.tsx";
import { useIsWide } from "../parts/widths.ts";
import { useScrimCode } from "../editor/useScrim.ts";
import { Card, TabHead } from "../parts/Card.tsx";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { AsyncContent } from "../../ui/AsyncContent.tsx";
import type { NextStepsCardProps } from "./NextSteps.tsx";

/** The color that the input shows if no color is set. */
const COLOR_FALLBACK = "#1a1a1a";
/** Longer titles wrap on phones. */
const MAX_SHORT_TITLE_LENGTH = 16;
/** Narrower images look blurry at full-screen width. */
const MIN_SHARP_WIDTH_PX = 1600;

/** Only sites that were set up with the welcome assistant have next steps. Other sites don't load the code. */
function NextSteps() {
  const { value: welcome } = useEntity("welcome");
  return welcome && welcome.state !== "none" ? <LazyNextSteps welcome={welcome} /> : null;
}

const LazyNextSteps = createLazyComponent<NextStepsCardProps>({
  subject: "the next steps",
  loadCode: async () => (await import("./NextSteps.tsx")).NextStepsCard,
  placeholder: null,
  wrapError: () => null,
});

export function HeroTab() {
  const hasPermission = usePermission();
  const hero = useDraft("hero");
  // The background color is a field of `styles`, whose default messages would name the site's styles.
  const styles = useDraft("styles", {
    part: "hero",
    label: "Hero",
    messages: {
      success: "Hero background color updated successfully",
      failure: "Failed to update hero background color",
    },
  });
  const isWide = useIsWide();
  const nextSteps = hasPermission("site") && <NextSteps />;
  const saveButton = (
    <SaveButton drafts={[styles, hero]} mainDraft={hero}>
      Save Hero Content
    </SaveButton>
  );
  return (
    <>
      <TabHead title="Hero" note={entities.hero.tab?.note}>
        <HistoryButton entity="hero" section="hero" isFullScreen />
        {saveButton}
      </TabHead>
      {isWide && nextSteps}
      <AsyncContent state={hero} subject="hero content">
        {() => (
          <div className="columns stack gap-16 preview-first">
            <div className="stack gap-16">
              <Card title="Text">
                <EntityForm draft={hero} fieldNames={["mainTitle", "subtitle", "tagline"]} />
              </Card>
              {!isWide && nextSteps}
              <Card title="Background">
                <Background hero={hero} styles={styles} />
              </Card>
              <Card title="Button">
                <EntityForm draft={hero} fieldNames={["buttonText", "buttonLink"]} />
              </Card>
              {saveButton}
            </div>
            <HeroPreview hero={hero} styles={styles} />
          </div>
        )}
      </AsyncContent>
    </>
  );
}

interface HeroDrafts {
  readonly hero: Draft<"hero">;
  readonly styles: Draft<"styles">;
}

function Background({ hero, styles }: HeroDrafts) {
  return (
    <div className="fields">
      <Field
        draft={styles}
        name="heroBackgroundColor"
        label="Background Color"
        hint="Visible behind the image and while it loads."
        fallbackColor={COLOR_FALLBACK}
      />
      <Field draft={hero} name="backgroundImage" />
    </div>
  );
}

function HeroPreview({ hero, styles }: HeroDrafts) {
  const { files } = useUploads();
  // If there are highlights, the hero has a second button that leads to them.
  const { value: highlights = [] } = useEntity("highlights");
  const image = files?.find((file) => file.url === hero.values.backgroundImage);
  const scrimCode = useScrimCode(image !== undefined);
  const title = hero.values.mainTitle;
  const photoContrast =
    image && scrimCode?.measureContrastOnPhoto({ ...image, title }, styles.values);
  return (
    <Preview
      section="hero"
      content={{ hero: hero.values, highlights }}
      editedLabel={hero.dirtyFields.length + styles.dirtyFields.length > 0}
      canShowBoth
      isFullScreen
      checks={createChecks(hero.values, styles.values, image, photoContrast)}
    />
  );
}

function createChecks(
  hero: Content<"hero">,
  styles: Content<"styles">,
  image: Upload | undefined,
  photoContrast: number | undefined,
): PreviewCheck[] {
  const textColor = styles.heroTextColor ?? styles.textColor;
  const ratio =
    photoContrast ?? computeContrastRatio(textColor, styles.heroBackgroundColor || COLOR_FALLBACK);
  const detail = photoContrast === undefined ? "on the background color" : "on the photo";
  const titleLength = hero.mainTitle.length;
  const isTitleShort = titleLength <= MAX_SHORT_TITLE_LENGTH;
  return [
    ...(ratio === undefined ? [] : [createContrastCheck(ratio, detail)]),
    {
      isPassed: isTitleShort,
      result: `The title ${isTitleShort ? "fits" : "is long"}`,
      detail: isTitleShort ? "on one line on phones" : "and wraps on phones",
      value: formatCount(titleLength, "character"),
    },
    ...(image ? [createSharpnessCheck(image)] : []),
  ];
}

function createContrastCheck(ratio: number, detail: string): PreviewCheck {
  const isPassed = ratio >= MIN_CONTRAST;
  const result = `The text is ${isPassed ? "easy" : "hard"} to read`;
  return { isPassed, result, detail, value: formatContrastRatio(ratio) };
}

function createSharpnessCheck({ width, height }: Upload): PreviewCheck {
  const value = `${width} × ${height}`;
  if (width >= MIN_SHARP_WIDTH_PX)
    return { isPassed: true, result: "The image is sharp enough", value };
  const detail = "and may look blurry on wide screens";
  return { isPassed: false, result: "The image is small", detail, value };
}
