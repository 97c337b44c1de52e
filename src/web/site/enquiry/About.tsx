/**
 * What an enquiry is about, where its visitor came by a package. The page's address says which, and nothing else
 * keeps it: a reload keeps it, and it goes when the visitor removes it or has sent the enquiry.
 */
import { useSignals } from "@preact/signals-react/runtime";
import { useEffect } from "react";
import { Button } from "../../ui/Button.tsx";
import { fill } from "../../words/fill.ts";
import { packageAt } from "../parts/aboutPlace.ts";
import type { EnquiryState } from "./enquiryState.ts";
import { useFormWords } from "./formWords.ts";

/** Follows the page's address as long as the form lives. */
export function useAbout(state: EnquiryState, isPreview: boolean): void {
  useEffect(() => {
    if (isPreview) return;
    const take = () => state.takeAbout(aboutAt(location.hash.slice(1)));
    take();
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, [state, isPreview]);
}

/** The package whose place that is on the page. */
function aboutAt(place: string) {
  const [id, title] = [packageAt(place), document.getElementById(place)?.dataset["title"]];
  return id && title ? { id, title } : null;
}

/** Nothing where it is about no package. */
export function About({ state }: { readonly state: EnquiryState }) {
  useSignals();
  const { form: said, lang } = useFormWords();
  const about = state.about.value;
  if (!about) return null;
  return (
    <p className="enquiry-about" lang={lang}>
      <span>{fill(said.about, { title: about.title })}</span>
      <Button variant="quiet" onClick={() => state.removeAbout()}>
        {said.removeAbout}
      </Button>
    </p>
  );
}
