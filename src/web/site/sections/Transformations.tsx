/** What coaching has done for others: pictures that open over the whole screen. */
import { type LoadedPage, valueOf } from "../../content.ts";
import { PictureGallery } from "../gallery/PictureGallery.tsx";
import { Poster } from "../gallery/Poster.tsx";
import { SectionFrame } from "../SectionFrame.tsx";

/** Shows the transformations, or nothing when there are none (spec section 2, Coaching page). */
export function Transformations({ content, pictures }: LoadedPage) {
  const items = (content.transformations ?? []).map((item, index) => ({
    ...item,
    title: item.title || `Transformation ${index + 1}`,
    untitled: !item.title,
  }));
  const settings = valueOf(content, "transformationSettings");
  if (items.length === 0) return null;
  const note = settings.description && <p className="section-note">{settings.description}</p>;
  return (
    <SectionFrame id="transformations" settings={settings} note={note}>
      <PictureGallery items={items} pictures={pictures} kind="lightbox">
        {(opener) => (
          <ul className="transformations">
            {items.map(({ id, imageUrl, title, untitled }, index) => (
              <li key={id} data-untitled={untitled ? "" : undefined}>
                <Poster
                  id={id}
                  imageUrl={imageUrl}
                  title={title}
                  pictures={pictures}
                  {...opener(index)}
                />
              </li>
            ))}
          </ul>
        )}
      </PictureGallery>
      <p className="transformations-end">Ready to start your own transformation journey?</p>
    </SectionFrame>
  );
}
