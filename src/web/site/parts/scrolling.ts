/** How the page scrolls, and how far it has. */
import { useEffect, useState } from "react";

/** True while the page is scrolled down further than `distance`, in CSS pixels. */
export function useScrolledPast(distance: number): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    const look = () => setPast(window.scrollY > distance);
    look();
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, [distance]);
  return past;
}

/** Smooth, unless the visitor asks for less motion. */
export function scrollBehavior(): ScrollBehavior {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
}

/** Brings a section to the top of the screen, and the keyboard's place with it; without one the foot. */
export function scrollToSection(id: string | undefined): void {
  const section = document.querySelector<HTMLElement>(id ? `#${id}` : "body > footer");
  if (!section) return;
  section.tabIndex = -1;
  section.focus({ preventScroll: true });
  section.scrollIntoView({ behavior: scrollBehavior() });
}
