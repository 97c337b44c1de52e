/** The Styles tab: the site's look, colors, sections, and link previews. */
import { useQueries } from "@tanstack/react-query";
import RotateCcw from "lucide-react/icons/rotate-ccw";
import type { ReactNode } from "react";
import { initialValues } from "../../../../schema/entities/check.ts";
import { type DocumentKey, entities } from "../../../../schema/index.ts";
import { COLORED } from "../../../../schema/looks/looks.ts";
import type { PageContent } from "../../../shared/content.ts";
import type { HomeSection, PreviewName } from "../../../previews/sectionPreviews.ts";
import { defaultsOf } from "../../../shared/defaults.ts";
import { useShell } from "../../../shared/shell.ts";
import { Button } from "../../../ui/Button.tsx";
import { type Draft, useDraft } from "../../data/useDraft.ts";
import { useUploads } from "../../data/uploads.ts";
import { entityQuery, useEntity } from "../../data/useEntity.ts";
import { HistoryButton } from "../../editor/HistoryButton.tsx";
import { Preview } from "../../editor/Preview.tsx";
import { SaveButton } from "../../editor/SaveButton.tsx";
import { useArrangement } from "../../editor/useArrangement.ts";
import { useVeilCode } from "../../editor/veiled.ts";
import { TabHead } from "../../parts/Card.tsx";
import { Subtabs } from "../../parts/Subtabs.tsx";
import { useSheet } from "../../parts/useSheet.ts";
import { Read } from "../../../ui/Read.tsx";
import { ColorsSubtab } from "./ColorsSubtab.tsx";
import { type LookDrafts, useLookDrafts } from "./lookDrafts.ts";
import { LookSubtab } from "./LookSubtab.tsx";
import { type HeroPhoto, type OnPhotos, onPhotos, contrastChecks } from "./contrast.ts";
import { onHomePage, SectionsSubtab } from "./SectionsSubtab.tsx";
import { SharingSubtab } from "./SharingSubtab.tsx";
import css from "./StylesTab.css" with { type: "text" };

export function StylesTab() {
  useSheet(css);
  const drafts = useLookDrafts();
  const sharing = useDraft("sharing");
  return (
    <>
      <TabHead title="Styles" note="Fonts and colors for the whole site.">
        <HistoryButton entity="styles" />
        <Button variant="quiet" disabled={!drafts.ready} onClick={() => reset(drafts.styles)}>
          <RotateCcw size={16} aria-hidden="true" /> Reset to Defaults
        </Button>
        <SaveButton drafts={[...drafts.all, sharing]}>Save Styles</SaveButton>
      </TabHead>
      <Read of={drafts} subject="styles">
        {() => <Parts drafts={drafts} />}
      </Read>
    </>
  );
}

function Parts({ drafts }: { drafts: LookDrafts }) {
  const content = useHomeContent(drafts);
  const measured = useOnPhotos(drafts, content);
  const all = useAllSections();
  const beside = (left: ReactNode, section = all) => (
    <div className="columns">
      <div className="stack gap-16">{left}</div>
      <StylesPreview drafts={drafts} content={content} section={section} onPhotos={measured} />
    </div>
  );
  const arranged = useArranged(drafts, content);
  return (
    <Subtabs
      label="Styles"
      tabs={[
        {
          key: "look",
          label: "Look",
          panel: beside(<LookSubtab drafts={drafts} content={content} />),
        },
        {
          key: "colors",
          label: "Colors",
          panel: beside(<ColorsSubtab drafts={drafts} onPhotos={measured} />),
        },
        {
          key: "sections",
          label: "Sections",
          panel: beside(<SectionsSubtab draft={drafts.styles} content={content} />, arranged),
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

/** Resets the form to defaults; Save Styles applies them. */
function reset(draft: Draft<"styles">): void {
  const defaults = initialValues(entities.styles.fields);
  for (const [name, value] of Object.entries(defaults))
    draft.set(name as "headingFont", value as string);
}

/** `content` is the sections' content. */
interface StylesPreviewProps {
  readonly drafts: LookDrafts;
  readonly content: PageContent;
  readonly section: readonly PreviewName[];
  readonly onPhotos: OnPhotos;
}

function StylesPreview({ drafts, content, section, onPhotos }: StylesPreviewProps) {
  return (
    <Preview
      section={section}
      content={content}
      applyDrafts={drafts.all.some(({ dirty }) => dirty.length > 0)}
      checks={contrastChecks(drafts, onPhotos)}
      scrolls
    />
  );
}

/** The contrast of heroes' text on photos; empty until it can be measured. */
function useOnPhotos({ styles }: LookDrafts, { hero }: PageContent): OnPhotos {
  const { files = [] } = useUploads();
  const coachingHero = useEntity("coachingHero").value;
  const shown = (
    value: { backgroundImage: string | null; mainTitle: string },
    as: Omit<HeroPhoto, "photo">,
  ) => {
    const photos = files.filter(({ url }) => url === value.backgroundImage);
    return photos.map((photo) => ({ photo: { ...photo, title: value.mainTitle }, ...as }));
  };
  const photos: HeroPhoto[] = [
    ...(hero ? shown(hero, { where: "the photo", written: ["name", "line"] }) : []),
    // It has no line in the accent color.
    ...(coachingHero
      ? shown(coachingHero, { where: "the Coaching photo", written: ["name"] })
      : []),
  ];
  const code = useVeilCode(photos.length > 0);
  return code ? onPhotos(photos, styles.values, code.contrastOnPhoto) : () => [];
}

/** The home page with unsaved arrangement. */
function useArranged({ styles }: LookDrafts, content: PageContent): readonly PreviewName[] {
  const { sectionOrder, hiddenSections } = styles.values;
  const sections = onHomePage(useArrangement().value?.(sectionOrder) ?? [], content);
  return previewsOf(sections.filter(({ name }) => !hiddenSections.includes(name)));
}

/** All sections: together they show every font, size and color. */
function useAllSections(): readonly PreviewName[] {
  return previewsOf(useArrangement().value?.([]) ?? []);
}

const previewsOf = (sections: readonly HomeSection[]): readonly PreviewName[] => [
  "hero",
  ...sections.map(({ preview }) => preview),
];

/** The owner's content in the colors being chosen; defaults until loaded. */
function useHomeContent({ sections }: LookDrafts): PageContent {
  const { site } = useShell();
  const below = useArrangement().value?.([]) ?? [];
  const keys = [...new Set([...READS, ...below.flatMap(({ reads }) => reads)])] as DocumentKey[];
  const read = useQueries({ queries: keys.map((key) => entityQuery(key)) });
  const loaded = read.flatMap(({ data }, at) => (data ? [[keys[at], data.value]] : []));
  const colored = COLORED.map((key) => [key, sections[key].values]);
  return {
    ...defaultsOf(READS, site.name),
    ...Object.fromEntries(loaded),
    ...Object.fromEntries(colored),
  };
}

const READS = ["hero", "about"] as const;
