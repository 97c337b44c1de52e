/** The toaster for pages that start small: its code comes with the first toast. */
import { useSignals } from "@preact/signals-react/runtime";
import { lazy, Suspense } from "react";
import { currentToast } from "./toast.ts";

const load = () => import("./Toaster.tsx");
const Toaster = lazy(async () => ({ default: (await load()).Toaster }));

/** Fetches the toaster ahead of a toast, as on the first touch of a form. Failing is no harm yet. */
export function preloadToaster(): void {
  load().catch(() => undefined);
}

/** Renders nothing until there is a toast, then the toaster; once per page. */
export function LazyToaster() {
  useSignals();
  if (currentToast.value === null) return null;
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
