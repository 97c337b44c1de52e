/** The Styles tab: the site's look, colors, sections, and link previews. */
import { useQueries } from "@tanstack/react-query";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import type { ReactNode } from "react";
import { getInitialValues } from "../../../../schema/entities/check.ts";
import { type DocumentKey, entities } from "../../../../schema/index.ts";
import { COLORED_SETTINGS_KEYS } from "../../../../schema/looks/looks.ts";
import type { PageContent } from "../../../shared/content.ts";
import type { HomeSection, PreviewName } from "../../../previews/sectionPreviews.ts";
import { createDefaultContent } from "../../../shared/defaults.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import { Button } from "../../../ui/Button.tsx";
import { type Draft, useDraft } from "../../data/useDraft.ts";
import { useUploads } from "../../data/uploads.ts";
import { createEntityQuery, useEntity } from "../../data/useEntity.ts";
import { HistoryButton, SaveButton } from "../../editor/tabButtons.tsx";
import { Preview } from "../../editor/Preview.tsx";
import { useArrangement } from "../../editor/useArrangement.ts";
import { useScrimCode } from "../../editor/useScrim.ts";
import { TabHead } from "../../parts/Card.tsx";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { ColorsSubtab } from "./ColorsSubtab.tsx";
import { type LookDrafts, useLookDrafts } from "./lookDrafts.ts";
import { LookSubtab } from "./LookSubtab.tsx";
import {
  type MeasurePhotoContrasts,
  createPhotoContrastMeasurer,
  createContrastChecks,
} from "./contrast.ts";
import { findHomePageSections, SectionsSubtab } from "./SectionsSubtab.tsx";
import { SharingSubtab } from "./SharingSubtab.tsx";
import css from "./StylesTab.css" with { type: "text" };

export function StylesTab() {
  useStylesheet(css);
  const drafts = useLookDrafts();
  const sharing = useDraft("sharing");
  return (
    <>
      <TabHead title="Styles" note="Fonts and colors for the whole site.">
        <HistoryButton entity="styles" />
        <Button
          variant="quiet"
          disabled={!drafts.isReady}
          onClick={() => resetStyles(drafts.styles)}
        >
          <RotateCcw size={16} aria-hidden="true" /> Reset to Defaults
        </Button>
        <SaveButton drafts={[...drafts.allDrafts, sharing]}>Save Styles</SaveButton>
      </TabHead>
      <AsyncContent state={drafts} subject="styles">
        {() => <StylesSubtabs drafts={drafts} />}
      </AsyncContent>
    </>
  );
}

function StylesSubtabs({ drafts }: { drafts: LookDrafts }) {
  const content = useHomeContent(drafts);
  const measurePhotos = useContrastOnPhotos(drafts, content);
  // The preview shows all sections, since together they contain every font, size and color.
  const allPreviews = getPreviewNames(useArrangement().value?.([]) ?? []);
  const renderBesidePreview = (controls: ReactNode, section = allPreviews) => (
    <div className="columns stack gap-16">
      <div className="stack gap-16">{controls}</div>
      <Preview
        section={section}
        content={content}
        editedLabel={drafts.allDrafts.some(({ dirtyFields }) => dirtyFields.length > 0)}
        checks={createContrastChecks(drafts, measurePhotos)}
        canScroll
      />
    </div>
  );
  const arrangedPreviews = useArrangedPreviews(drafts, content);
  return (
    <Subtabs
      label="Styles"
      tabs={[
        {
          key: "look",
          label: "Look",
          panel: renderBesidePreview(<LookSubtab drafts={drafts} content={content} />),
        },
        {
          key: "colors",
          label: "Colors",
          panel: renderBesidePreview(
            <ColorsSubtab drafts={drafts} measurePhotos={measurePhotos} />,
          ),
        },
        {
          key: "sections",
          label: "Sections",
          panel: renderBesidePreview(
            <SectionsSubtab draft={drafts.styles} content={content} />,
            arrangedPreviews,
          ),
        },
        {
          key: "sharing",
          label: "Sharing",
          panel: <SharingSubtab styles={drafts.styles.values} />,
        },
      ]}
    />
  );
}

/** Resets only the form. Save Styles stores the defaults. */
function resetStyles(draft: Draft<"styles">): void {
  const defaults = getInitialValues(entities.styles.fields);
  for (const [name, value] of Object.entries(defaults))
    draft.setField(name as "headingFont", value as string);
}

/** Returns a function that measures the contrast of text on hero photos. It returns [] until its code is loaded. */
function useContrastOnPhotos({ styles }: LookDrafts, { hero }: PageContent): MeasurePhotoContrasts {
  const { files = [] } = useUploads();
  const coachingHero = useEntity("coachingHero").value;
  const heroes = [
    { value: hero, backgroundLabel: "the photo", texts: ["name", "line"] },
    // The coaching hero has no line in the accent color.
    { value: coachingHero, backgroundLabel: "the Coaching photo", texts: ["name"] },
  ] as const;
  const photos = heroes.flatMap(({ value, ...details }) => {
    const photo = files.find(({ url }) => url === value?.backgroundImage);
    return value && photo ? [{ photo: { ...photo, title: value.mainTitle }, ...details }] : [];
  });
  const scrimCode = useScrimCode(photos.length > 0);
  return scrimCode
    ? createPhotoContrastMeasurer(photos, styles.values, scrimCode.measureContrastOnPhoto)
    : () => [];
}

function useArrangedPreviews({ styles }: LookDrafts, content: PageContent): readonly PreviewName[] {
  const { sectionOrder, hiddenSections } = styles.values;
  const sections = findHomePageSections(useArrangement().value?.(sectionOrder) ?? [], content);
  return getPreviewNames(sections.filter(({ name }) => !hiddenSections.includes(name)));
}

const getPreviewNames = (sections: readonly HomeSection[]): readonly PreviewName[] => [
  "hero",
  ...sections.map(({ preview }) => preview),
];

/** Returns the owner's content with the sections' unsaved colors; default content until it is loaded. */
function useHomeContent({ sections }: LookDrafts): PageContent {
  const { site } = usePageContext();
  const homeSections = useArrangement().value?.([]) ?? [];
  const keys = [
    ...new Set([...REQUIRED_ENTITIES, ...homeSections.flatMap(({ entityKeys }) => entityKeys)]),
  ] as DocumentKey[];
  const entityQueries = useQueries({ queries: keys.map((key) => createEntityQuery(key)) });
  const loadedEntries = entityQueries.flatMap(({ data }, index) =>
    data ? [[keys[index], data.value]] : [],
  );
  const sectionColors = COLORED_SETTINGS_KEYS.map((key) => [key, sections[key].values]);
  return {
    ...createDefaultContent(REQUIRED_ENTITIES, site.name),
    ...Object.fromEntries(loadedEntries),
    ...Object.fromEntries(sectionColors),
  };
}

const REQUIRED_ENTITIES = ["hero", "about"] as const;
