/** The coaching page. */
import { getRouteApi } from "@tanstack/react-router";
import { valueOf } from "../content.ts";

const route = getRouteApi("/coaching");

/** Shows /coaching. */
export function Coaching() {
  const { content } = route.useLoaderData();
  return (
    <main>
      <section id="coaching-hero">
        <h1>{valueOf(content, "coachingHero").mainTitle}</h1>
      </section>
    </main>
  );
}
