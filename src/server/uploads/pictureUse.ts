/** Where on the site a picture is shown, in the words of the dashboard's tabs. */
import { entities, type EntityKey } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";

const PLACES: Partial<Record<EntityKey, string>> = {
  hero: "Hero",
  about: "About",
  highlights: "Highlights",
  connectSettings: "Connect",
  pressFeatures: "Press",
  coachingHero: "Coaching",
  transformations: "Coaching",
};

/** For each address asked for, the places that show it; a section added later goes by its own label. */
export function pictureUse(store: Store): (url: string) => string[] {
  const keys = (Object.keys(entities) as EntityKey[]).filter(
    (key) => entities[key].readers === "everyone" && entities[key].shape !== "records",
  );
  const texts = keys.map((key) => ({
    place: PLACES[key] ?? entities[key].label,
    text: JSON.stringify(store.document(entities[key].name).read().value),
  }));
  return (url) => [
    ...new Set(texts.filter(({ text }) => text.includes(url)).map(({ place }) => place)),
  ];
}
