/** Hydrates the enquiry form only: the page around it remains plain HTML (docs/decisions/0029). */
import { type ReactNode, useEffect } from "react";
import { flushSync } from "react-dom";
import { hydrateRoot } from "react-dom/client";
import { ignoreKeysWhileComposing, tolerateTranslation } from "./shared/browserFeatures.ts";
import { EnquiryForm } from "./site/enquiry/EnquiryForm.tsx";

ignoreKeysWhileComposing();
tolerateTranslation();
const container = document.querySelector("[data-wakes]");
const stateText = container?.nextElementSibling?.textContent;
if (container && stateText) {
  // On this event, inline/hydrate.ts restores the form as the server sent it. Hydration must follow immediately.
  dispatchEvent(new Event("hydrating"));
  // `flushSync` also runs the effects immediately. If they ran later, text typed in the meantime would be lost.
  flushSync(() =>
    hydrateRoot(
      container,
      <HydrationSignal>
        <EnquiryForm {...JSON.parse(stateText)} />
      </HydrationSignal>,
    ),
  );
}

/** Notifies inline/hydrate.ts that the form now handles presses. */
function HydrationSignal({ children }: { children: ReactNode }) {
  useEffect(() => void dispatchEvent(new Event("hydrated")), []);
  return children;
}
