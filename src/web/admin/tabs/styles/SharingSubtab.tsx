/** The Sharing subtab: titles, descriptions and images of shared links. */
import { useState } from "react";
import {
  canBeDrawn,
  createSharePictureText,
  SHARE_PICTURE_PATHS,
} from "../../../../schema/looks/sharePictures.ts";
import { getInitialValues } from "../../../../schema/entities/check.ts";
import { type Content, entities } from "../../../../schema/index.ts";
import { COACHING_PATH } from "../../../../schema/sections/pageOrder.ts";
import { createCoachingMetadata, createHomeMetadata } from "../../../previews/pageMetadata.ts";
import { usePageContext } from "../../../shared/pageContext.ts";
import type { Words } from "../../../words/en.ts";
import { useLoadedWords } from "../../../words/loadSiteWords.ts";
import { type Draft, useDraft } from "../../data/useDraft.ts";
import { useEntity } from "../../data/useEntity.ts";
import { Field } from "../../editor/Field.tsx";
import { PreviewChecks } from "../../editor/Preview.tsx";
import { Callout } from "../../parts/Callout.tsx";
import { Card } from "../../parts/Card.tsx";
import { AsyncContent } from "../../../ui/AsyncContent.tsx";
import { SegmentedControl } from "../../../ui/SegmentedControl.tsx";
import { useStylesheet } from "../../parts/useStylesheet.ts";
import css from "./SharePreviews.css" with { type: "text" };

const PAGE_CHOICES = [
  { value: "home", label: "Home" },
  { value: "coaching", label: "Coaching" },
] as const;

type SharedPage = (typeof PAGE_CHOICES)[number]["value"];

export function SharingSubtab({ styles }: { styles: Content<"styles"> }) {
  const draft = useDraft("sharing");
  const words = useLoadedWords(usePageContext().site.language)?.words;
  return (
    <AsyncContent state={draft} subject="sharing">
      {() => words && <SharingForm draft={draft} styles={styles} words={words} />}
    </AsyncContent>
  );
}

interface SharingFormProps {
  readonly draft: Draft<"sharing">;
  readonly styles: Content<"styles">;
  /** The texts in the site's language, from which default titles are made. */
  readonly words: Words;
}

function SharingForm({ draft, styles, words }: SharingFormProps) {
  const [page, setPage] = useState<SharedPage>("home");
  const sharedLink = useSharedLink(draft.values, page, { styles, words });
  const generatedLink = useSharedLink(EMPTY_SHARING, page, { styles, words });
  const { siteUrl } = usePageContext();
  return (
    <div className="columns stack gap-16">
      <div className="stack gap-16">
        {siteUrl === null && (
          <Callout tone="warn">
            Set the site's public URL (SITE_URL) on the server so that shared links show an image.
            Titles and descriptions work without it.
          </Callout>
        )}
        <Card
          title="Search and sharing"
          note="how links to your site look"
          actions={
            <SegmentedControl label="Page" options={PAGE_CHOICES} value={page} onChoose={setPage} />
          }
        >
          <div className="fields" key={page}>
            <Field draft={draft} name={`${page}Title`} placeholder={generatedLink.title} />
            <Field
              draft={draft}
              name={`${page}Description`}
              placeholder={generatedLink.description}
              hint="Leave empty to use the page's text."
            />
            <Field
              draft={draft}
              name={`${page}Picture`}
              isFolded
              noneLabel="Generated automatically"
              hint="Leave empty to generate one from your name, photo and look (1200 × 630)."
            />
            {sharedLink.unsupportedText && (
              <UnsupportedTextWarning text={sharedLink.unsupportedText} />
            )}
          </div>
        </Card>
        <Card title="Browser tab icon">
          <Field
            draft={draft}
            name="icon"
            isFolded
            hint="A square image. Leave empty to use your initial in your colors."
          />
        </Card>
      </div>
      <Card title="Preview" isFlush>
        <SharePreviews shared={sharedLink} />
        <LengthCheck shared={sharedLink} />
      </Card>
    </div>
  );
}

const UnsupportedTextWarning = ({ text }: { readonly text: string }) => (
  <Callout tone="warn">
    <bdi>{text}</bdi> can't be shown in full on the generated image, which supports Latin, Greek and
    Cyrillic letters. The link's title still shows it. To show it in the image too, upload your own
    image.
  </Callout>
);

const EMPTY_SHARING = getInitialValues(entities.sharing.fields);

/** Returns a page's link as it will be shared. The generated image can't show `unsupportedText`. */
function useSharedLink(
  sharing: Content<"sharing">,
  page: SharedPage,
  { styles, words: translation }: Pick<SharingFormProps, "styles" | "words">,
): SharedLink & { readonly unsupportedText: string } {
  const { site, siteUrl } = usePageContext();
  const hero = useEntity("hero").value;
  const coachingHero = useEntity("coachingHero").value;
  const siteNaming = { name: site.name, words: translation };
  const metadata =
    page === "home"
      ? createHomeMetadata(siteNaming, hero, sharing)
      : createCoachingMetadata(siteNaming, coachingHero, sharing);
  const path = page === "home" ? "/" : COACHING_PATH;
  const isDrawn = !metadata.picture && hero && coachingHero;
  const drawnTexts = isDrawn
    ? Object.values(createSharePictureText(path, { site, hero, coachingHero }))
    : [];
  return {
    ...metadata,
    unsupportedText: drawnTexts.filter((each) => !canBeDrawn(each)).join(", "),
    picture: metadata.picture ?? SHARE_PICTURE_PATHS[path],
    name: site.name,
    icon: sharing.icon ?? "/favicon.svg",
    url: (siteUrl ?? window.location.origin) + (page === "home" ? "" : COACHING_PATH),
    color: styles.primaryColor,
  };
}

/** The longest texts that search engines show in full (specification, section 3.10). */
const MAX_LENGTHS = { title: 60, description: 160 };

function LengthCheck({ shared: link }: { shared: SharedLink }) {
  const longTexts = (["title", "description"] as const).filter(
    (key) => link[key].length > MAX_LENGTHS[key],
  );
  const isPassed = longTexts.length === 0;
  const result = isPassed
    ? "Title and description fit in search results"
    : `The ${longTexts.join(" and the ")} ${longTexts.length === 1 ? "is" : "are"} too long for search results`;
  return <PreviewChecks checks={[{ isPassed, result }]} />;
}

/** `url` is absolute. */
interface SharedLink {
  readonly title: string;
  readonly description: string;
  readonly picture: string;
  readonly name: string;
  readonly icon: string;
  readonly url: string;
  readonly color: string;
}

function SharePreviews({ shared: link }: { shared: SharedLink }) {
  useStylesheet(css);
  const { title, description, picture, name, icon, url } = link;
  const host = url.replace(/^https?:\/\//, "").replace(/\/.*/s, "");
  return (
    <div className="share-previews stack gap-16">
      <figure className="share-search">
        <figcaption className="faint note">Google</figcaption>
        <div>
          <p className="share-site gap-12 row">
            <img src={icon} alt="" width={26} height={26} />
            <span>
              <span>{name}</span>
              <span className="quiet">{url}</span>
            </span>
          </p>
          <p className="share-title truncate">{title}</p>
          <p className="quiet line-clamp">{description}</p>
        </div>
      </figure>
      <figure className="share-message">
        <figcaption className="faint note">WhatsApp</figcaption>
        <div>
          <img src={picture} alt="" />
          <div className="share-caption">
            <strong>{title}</strong>
            <p className="quiet truncate small">{description}</p>
            <p className="faint note">{host}</p>
          </div>
          <p className="share-address">{url}</p>
        </div>
      </figure>
      <figure className="share-post">
        <figcaption className="faint note">X</figcaption>
        <div>
          <div className="share-picture">
            <img src={picture} alt="" />
            <span className="truncate">{title}</span>
          </div>
          <p className="quiet small">From {host}</p>
        </div>
      </figure>
    </div>
  );
}
