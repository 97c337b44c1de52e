/** Who has written and spoken of the performer: one grid of hairlines. */
import type { Item } from "../../../schema/index.ts";
import type { Pictures } from "../../../schema/pictures.ts";
import { type LoadedPage, valueOf } from "../../content.ts";
import { fitted } from "../fitted.ts";
import { Photo } from "../Photo.tsx";
import { SectionFrame } from "../SectionFrame.tsx";

/** Shows the features, or nothing when there are none (spec section 2, Press). */
export function Press({ content, pictures }: LoadedPage) {
  const features = content.pressFeatures ?? [];
  const settings = valueOf(content, "pressSettings");
  if (features.length === 0) return null;
  const note = settings.description && <p className="section-note">{settings.description}</p>;
  return (
    <SectionFrame id="press" className="press" settings={settings} note={note}>
      <ul className="features">
        {features.map((feature) => (
          <li key={feature.id}>
            <Feature feature={feature} pictures={pictures} />
          </li>
        ))}
      </ul>
    </SectionFrame>
  );
}

function Feature({
  feature: { name, subtitle, description, logoUrl },
  pictures,
}: {
  feature: Item<"pressFeatures">;
  pictures: Pictures;
}) {
  return (
    <article className="feature">
      <Photo
        src={logoUrl}
        pictures={pictures}
        sizes="12rem"
        className="feature-logo"
        blurred={false}
      />
      <h3 className="feature-name fitted" style={fitted(name)}>
        {name}
      </h3>
      <p className="feature-subtitle">{subtitle}</p>
      {description && <p className="feature-description">{description}</p>}
    </article>
  );
}
