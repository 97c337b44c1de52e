/** Brings the enquiry form to life, alone: the page around it is finished HTML and stays that (docs/decisions/0401). */
import { type ReactNode, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { EnquiryForm } from "./site/enquiry/EnquiryForm.tsx";

const place = document.querySelector("[data-wakes]");
const state = place?.nextElementSibling?.textContent;
if (place && state)
  hydrateRoot(
    place,
    <Alive>
      <EnquiryForm {...JSON.parse(state)} />
    </Alive>,
  );

/** Tells the page's own program (inline/wake.ts) that presses are listened to from now on. */
function Alive({ children }: { children: ReactNode }) {
  useEffect(() => void dispatchEvent(new Event("alive")), []);
  return children;
}
