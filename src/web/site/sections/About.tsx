/** Who the performer is: a portrait, words and figures. */
import { type LoadedPage, valueOf } from "../../content.ts";
import { useShell } from "../../shell.ts";
import { fitted } from "../fitted.ts";
import { Photo } from "../Photo.tsx";
import { Statistics } from "./Statistics.tsx";

/** Shows the About section; the bundled picture stands in when none was chosen. */
export function About(page: LoadedPage) {
  const { title, content, image } = valueOf(page.content, "about");
  const { assets } = useShell();
  const portrait = image ?? assets.pictures["about-default"];
  return (
    <section id="about" className="section about" aria-labelledby="about-title">
      <div className="about-body" data-portrait={portrait ? "" : undefined}>
        {portrait && (
          <div className="about-frame">
            <Photo
              src={portrait}
              pictures={page.pictures}
              sizes="(min-width: 768px) 42vw, 88vw"
              className="about-portrait"
            />
          </div>
        )}
        <div className="about-words">
          <h2 id="about-title" className="title fitted" style={fitted(title)}>
            {title}
          </h2>
          <div className="rich" dangerouslySetInnerHTML={{ __html: content }} />
        </div>
      </div>
      <Statistics {...page} />
    </section>
  );
}
