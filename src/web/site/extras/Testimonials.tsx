/** The section Testimonials: the first six, and a folded list of the others. */
import type { Item } from "../../../schema/index.ts";
import type { Pictures } from "../../../schema/pictures/pictures.ts";
import { toSafeUrl } from "../../../schema/core/safeUrl.ts";
import { isShortQuote } from "../../../schema/sections/testimonialRules.ts";
import { type LoadedPage, getSingletonValue } from "../../shared/content.ts";
import { fillPlaceholders } from "../../words/placeholders.ts";
import { useWords } from "../../words/siteWords.ts";
import { Photo } from "../parts/Photo.tsx";
import { SectionShell } from "../parts/SectionShell.tsx";
import { TextLine } from "../parts/TextLine.tsx";
import { ExtraStyles } from "./ExtraStyles.tsx";
import { FoldedContent } from "./folded/Folded.tsx";

type Testimonial = Item<"testimonials">;

/** The number of testimonials that aren't folded. */
const MAX_VISIBLE_TESTIMONIALS = 6;

export function Testimonials({ content, pictures }: LoadedPage) {
  const { words, lang } = useWords();
  // The dashboard's previews also get pending and hidden testimonials.
  const testimonials = (content.testimonials ?? []).filter(({ isActive }) => isActive);
  if (testimonials.length === 0) return null;
  const settings = getSingletonValue(content, "testimonialSettings");
  const [visible, folded] = [
    testimonials.slice(0, MAX_VISIBLE_TESTIMONIALS),
    testimonials.slice(MAX_VISIBLE_TESTIMONIALS),
  ];
  return (
    <>
      <ExtraStyles extra="testimonials" />
      <SectionShell id="testimonials" settings={settings}>
        <TestimonialColumns items={visible} pictures={pictures} isUnfolded />
        {folded.length > 0 && (
          <FoldedContent
            title={fillPlaceholders(words.testimonials.allCount, { count: testimonials.length })}
            lang={lang}
          >
            <TestimonialColumns items={folded} pictures={pictures} />
          </FoldedContent>
        )}
      </SectionShell>
    </>
  );
}

interface TestimonialColumnsProps {
  readonly items: readonly Testimonial[];
  readonly pictures: Pictures;
  /** True for the visible list, whose first testimonial is large if it is short. */
  readonly isUnfolded?: boolean;
}

function TestimonialColumns({ items, pictures, isUnfolded = false }: TestimonialColumnsProps) {
  return (
    <div className="testimonials">
      {items.map((item, index) => (
        <figure
          key={item.id}
          dir="auto"
          data-large={isUnfolded && index === 0 && isShortQuote(item.words) ? "" : undefined}
        >
          <blockquote>
            <p>
              <TextLine text={item.words} />
            </p>
          </blockquote>
          <figcaption>
            {item.portrait && (
              <span className="testimonial-portrait">
                <Photo
                  src={item.portrait}
                  pictures={pictures}
                  sizes="3rem"
                  crop="about"
                  className="cover"
                />
              </span>
            )}
            <Author {...item} />
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

function Author({ name, role, link }: Testimonial) {
  const href = toSafeUrl(link);
  const authorName = (
    <b>
      <TextLine text={name} />
    </b>
  );
  return (
    <span>
      {href ? <a href={href}>{authorName}</a> : authorName}
      {role && <TextLine text={role} />}
    </span>
  );
}
