/** Fetches the code of a section for its preview. */
import { type ComponentType, useEffect, useState } from "react";
import { loadPreview, type PreviewedPage, type PreviewName } from "../../sectionPreviews.ts";

/** The section's component, or null until it is there. */
export function useSectionComponent(section: PreviewName): ComponentType<PreviewedPage> | null {
  const [loaded, setLoaded] = useState<{ Section: ComponentType<PreviewedPage> } | null>(null);
  useEffect(() => {
    let left = false;
    void loadPreview(section).then((Section) => left || setLoaded({ Section }));
    return () => {
      left = true;
    };
  }, [section]);
  return loaded?.Section ?? null;
}
