/** Fetches the code of a section for its preview. */
import { type ComponentType, useEffect, useState } from "react";
import type { LoadedPage } from "../../content.ts";
import { loadPreview, type PreviewName } from "../../sectionPreviews.ts";

/** The section's component, or null until it is there. */
export function useSectionComponent(section: PreviewName): ComponentType<LoadedPage> | null {
  const [loaded, setLoaded] = useState<{ Section: ComponentType<LoadedPage> } | null>(null);
  useEffect(() => {
    let left = false;
    void loadPreview(section).then((Section) => left || setLoaded({ Section }));
    return () => {
      left = true;
    };
  }, [section]);
  return loaded?.Section ?? null;
}
