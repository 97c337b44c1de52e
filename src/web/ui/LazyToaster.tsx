/**
 * The toaster for pages that start small: its code loads at the first touch of something that may
 * need it.
 */
import { type ComponentType, useEffect, useState } from "react";

const load = async () => (await import("./Toaster.tsx")).Toaster;

let tell: ((Toaster: ComponentType) => void) | undefined;

/** Fetches the toaster ahead of a toast. Failing is no harm: what can toast needs it only then. */
export function preloadToaster(): void {
  load().then(
    (Toaster) => tell?.(Toaster),
    () => undefined,
  );
}

/** Nothing until the toaster was asked for and is there; once per page. */
export function LazyToaster() {
  const [Toaster, setToaster] = useState<ComponentType>();
  useEffect(() => {
    tell = (Loaded) => setToaster(() => Loaded);
    return () => {
      tell = undefined;
    };
  }, []);
  return Toaster ? <Toaster /> : null;
}
