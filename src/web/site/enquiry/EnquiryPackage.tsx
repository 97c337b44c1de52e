/**
 * The package that an enquiry is about. Only the page's URL holds it, so it survives a reload. It is cleared when the
 * visitor removes it or sends the enquiry.
 */
import { useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { fillPlaceholders } from "../../words/fill.ts";
import { parsePackageAnchor } from "../parts/packageAnchor.ts";
import type { EnquiryState } from "./enquiryState.ts";
import { useFormWords } from "./formWords.ts";
import { useEnquiry } from "./useEnquiry.ts";

/** Updates the package from the page's URL while the form is mounted. */
export function usePackageFromUrl(state: EnquiryState, isPreview: boolean): void {
  useEffect(() => {
    if (isPreview) return;
    const update = () => state.selectPackage(findPackageByAnchor(location.hash.slice(1)));
    update();
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, [state, isPreview]);
}

/** Finds the package with an anchor on the page. */
function findPackageByAnchor(anchor: string) {
  const [id, title] = [
    parsePackageAnchor(anchor),
    document.getElementById(anchor)?.dataset["title"],
  ];
  return id && title ? { id, title } : null;
}

/** Shows the package of the enquiry, with a button that removes it. Renders nothing without a package. */
export function EnquiryPackage() {
  const state = useEnquiry();
  const { form: words, lang } = useFormWords();
  const selectedPackage = state.selectedPackage.value;
  if (!selectedPackage) return null;
  return (
    <p className="enquiry-about" lang={lang}>
      <span>{fillPlaceholders(words.about, { title: selectedPackage.title })}</span>
      <Button variant="quiet" onClick={() => state.removePackage()}>
        {words.removeAbout}
      </Button>
    </p>
  );
}
