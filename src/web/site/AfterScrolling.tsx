/** What is only shown further down a page: its code comes with the first scrolling. */
import { type ComponentType, useEffect, useState } from "react";
import { useScrolledPast } from "./parts/scrolling.ts";

/** The UPDATES tab. */
export const LateUpdatesTab = afterScrolling(
  async () => (await import("./mailingList/UpdatesTab.tsx")).UpdatesTab,
);

/** The button of the page's hero, docked to the foot of a phone. */
export const LateDock = afterScrolling(async () => (await import("./Dock.tsx")).Dock);

/** As the component that `load` fetches, but nothing until then, and without a connection. */
function afterScrolling<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return function Late(props: Props) {
    const scrolled = useScrolledPast(0);
    const [Part, setPart] = useState<ComponentType<Props>>();
    useEffect(() => {
      if (!scrolled || Part) return;
      load().then(
        (loaded) => setPart(() => loaded),
        // Nothing of it would work either.
        () => undefined,
      );
    }, [scrolled, Part]);
    return Part ? <Part {...props} /> : null;
  };
}
