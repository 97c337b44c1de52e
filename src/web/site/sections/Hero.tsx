/** The first screen of the home page. */
import { type LoadedPage, valueOf } from "../../content.ts";

/** Shows the hero's words over its picture. */
export function Hero({ content }: LoadedPage) {
  const hero = valueOf(content, "hero");
  return (
    <section id="hero">
      <h1>{hero.mainTitle}</h1>
      <p>{hero.subtitle}</p>
      <p>{hero.tagline}</p>
    </section>
  );
}
