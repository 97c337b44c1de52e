/** The toaster for pages that start small: its code comes with the first touch of what can toast. */
import { lazy, Suspense, useSyncExternalStore } from "react";

const load = () => import("./Toaster.tsx");
const Toaster = lazy(async () => ({ default: (await load()).Toaster }));

let wanted = false;
const waiting = new Set<() => void>();

/** Fetches the toaster ahead of a toast. Failing is no harm yet: the next touch tries again. */
export function preloadToaster(): void {
  load().then(want, () => undefined);
}

function want(): void {
  wanted = true;
  for (const tell of waiting) tell();
}

function subscribe(tell: () => void): () => void {
  waiting.add(tell);
  return () => waiting.delete(tell);
}

/** Renders nothing until the toaster was asked for; once per page. */
export function LazyToaster() {
  const shown = useSyncExternalStore(
    subscribe,
    () => wanted,
    () => false,
  );
  return shown ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
