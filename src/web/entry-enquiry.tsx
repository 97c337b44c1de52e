/** Hydrates the enquiry form only: the page around it remains plain HTML (docs/decisions/0029). */
import { type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { ignoreComposing } from "./shared/composing.ts";
import { EnquiryForm } from "./site/enquiry/EnquiryForm.tsx";

ignoreComposing();
const container = document.querySelector("[data-wakes]");
const state = container?.nextElementSibling?.textContent;
if (container && state)
  hydrateRoot(
    container,
    <Alive>
      <EnquiryForm {...JSON.parse(state)} />
    </Alive>,
  );

/** Tells the page's script (inline/wake.ts) that the form now handles presses. */
function Alive({ children }: { children: ReactNode }) {
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return children;
}
