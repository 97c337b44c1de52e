/** The Sharing subtab: link previews of search engines and messengers. */
import CircleCheck from "lucide-react/icons/circle-check";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { type ReactNode, useState } from "react";
import { canBeDrawn, sharePictureText } from "../../../../schema/looks/sharePictureText.ts";
import type { Content } from "../../../../schema/index.ts";
import { DRAWN_PICTURES } from "../../../../schema/looks/drawnPictures.ts";
import { COACHING_PATH } from "../../../../schema/sections/pagePaths.ts";
import { coachingMetadata, homeMetadata } from "../../../previews/pageMetadata.ts";
import { useShell } from "../../../shared/shell.ts";
import type { Words } from "../../../words/en.ts";
import { useLoadedWords } from "../../../words/load.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Field } from "../../editor/Field.tsx";
import { Card } from "../../parts/Card.tsx";
import { Read } from "../../../ui/Read.tsx";
import { Segments } from "../../../ui/Segments.tsx";
import { type Shared, SharePreviews } from "./SharePreviews.tsx";

const PAGES = [
  { value: "home", label: "Home" },
  { value: "coaching", label: "Coaching" },
] as const;

type Page = (typeof PAGES)[number]["value"];

export function SharingSubtab({ styles }: { styles: Content<"styles"> }) {
  const draft = useDraft("sharing");
  const words = useLoadedWords(useShell().site.language)?.words;
  return (
    <Read of={draft} subject="sharing">
      {() => words && <Sharing draft={draft} styles={styles} words={words} />}
    </Read>
  );
}

interface SharingProps {
  readonly draft: Draft<"sharing">;
  readonly styles: Content<"styles">;
  /** The site's texts, used in titles. */
  readonly words: Words;
}

function Sharing({ draft, styles, words }: SharingProps) {
  const [page, setPage] = useState<Page>("home");
  const shared = useShared(draft.values, page, { styles, words });
  const made = useShared(NOTHING, page, { styles, words });
  const { address } = useShell();
  return (
    <div className="columns">
      <div className="stack gap-16">
        {address === null && (
          <Warning>
            Set the site's public URL (SITE_URL) on the server so that shared links show an image.
            Titles and descriptions work without it.
          </Warning>
        )}
        <Card
          title="Search and sharing"
          note="how links to your site look"
          actions={<Segments label="Page" options={PAGES} value={page} onChoose={setPage} />}
        >
          <div className="fields" key={page}>
            <Field draft={draft} name={`${page}Title`} placeholder={made.title} />
            <Field
              draft={draft}
              name={`${page}Description`}
              placeholder={made.description}
              hint="Leave empty to use the page's text."
            />
            <Field
              draft={draft}
              name={`${page}Picture`}
              folded
              noneLabel="Generated automatically"
              hint="Leave empty to generate one from your name, photo and look (1200 × 630)."
            />
            {shared.notDrawn && (
              <Warning>
                <bdi>{shared.notDrawn}</bdi> can't be shown in full on the generated image, which
                supports Latin, Greek and Cyrillic letters. The link's title still shows it. To show
                it in the image too, upload your own.
              </Warning>
            )}
          </div>
        </Card>
        <Card title="Browser tab icon">
          <Field
            draft={draft}
            name="icon"
            folded
            hint="A square image. Leave empty to use your initial in your colors."
          />
        </Card>
      </div>
      <Card title="Preview" flush>
        <SharePreviews shared={shared} />
        <Fits shared={shared} />
      </Card>
    </div>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="callout row cluster gap-12" data-tone="warn">
      <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
      <span className="grow">{children}</span>
    </p>
  );
}

const NOTHING = {
  homeTitle: "",
  homeDescription: "",
  homePicture: null,
  coachingTitle: "",
  coachingDescription: "",
  coachingPicture: null,
  icon: null,
} satisfies Content<"sharing">;

/** A page's link metadata with unsaved changes; `notDrawn` is text in scripts that aren't drawn. */
function useShared(
  sharing: Content<"sharing">,
  page: Page,
  { styles, words: translation }: Pick<SharingProps, "styles" | "words">,
): Shared & { readonly notDrawn: string } {
  const { site, address } = useShell();
  const hero = useEntity("hero").value;
  const coachingHero = useEntity("coachingHero").value;
  const named = { name: site.name, words: translation };
  const metadata =
    page === "home"
      ? homeMetadata(named, hero, sharing)
      : coachingMetadata(named, coachingHero, sharing);
  const path = page === "home" ? "/" : COACHING_PATH;
  const isDrawn = !metadata.picture && hero && coachingHero;
  const drawn = isDrawn ? Object.values(sharePictureText(path, { site, hero, coachingHero })) : [];
  return {
    ...metadata,
    notDrawn: drawn.filter((each) => !canBeDrawn(each)).join(", "),
    picture: metadata.picture ?? DRAWN_PICTURES[path],
    name: site.name,
    icon: sharing.icon ?? "/favicon.svg",
    address: (address ?? window.location.origin) + (page === "home" ? "" : COACHING_PATH),
    color: styles.primaryColor,
  };
}

/** Search engines cut off more (specification, section 3.10). */
const MOST = { title: 60, description: 160 };

function Fits({ shared }: { shared: Shared }) {
  const long = (["title", "description"] as const).filter((key) => shared[key].length > MOST[key]);
  return (
    <p className="pad row border-top small" data-ok={long.length === 0}>
      {long.length === 0 ? (
        <CircleCheck size={16} data-tone="ok" aria-hidden="true" />
      ) : (
        <TriangleAlert size={16} data-tone="warn" aria-hidden="true" />
      )}
      {long.length === 0
        ? "Title and description fit"
        : `The ${long.join(" and the ")} ${long.length === 1 ? "is" : "are"} too long for search results`}
    </p>
  );
}
