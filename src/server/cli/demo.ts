/** `limelight demo`: fills an empty site with sample content and pictures. */
import type { Config } from "../config.ts";
import { allEntities } from "../../schema/index.ts";
import type { Store } from "../storage/store.ts";
import { type Command, say, UsageError } from "./command.ts";
import { fillSite } from "./demo/fillSite.ts";
import { openSite } from "./openSite.ts";

export const demo: Command = {
  name: "demo",
  summary: "fills an empty site with sample content and pictures",
  run: fill,
};

async function fill(config: Config): Promise<number> {
  const { store, library } = await openSite(config, say);
  try {
    if (!isEmpty(store)) {
      throw new UsageError(
        "This site has content of its own. The sample content is for empty sites only.",
      );
    }
    const pictures = await fillSite(store, library, new Date());
    say(
      `The site is filled: ${pictures} pictures and a word in every place. Start it with: limelight serve`,
    );
  } finally {
    await store.close();
  }
  return 0;
}

/** Nothing was written since the first start, the owner's account and the site's name aside. */
function isEmpty(store: Store): boolean {
  const lists = allEntities.filter(
    (entity) => entity.shape === "collection" && entity.readers === "everyone",
  );
  const filled = lists.some(
    (entity) => store.document<unknown[]>(entity.name).read().value.length > 0,
  );
  return !filled && store.document<unknown[]>("uploads").read().value.length === 0;
}
