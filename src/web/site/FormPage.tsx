/** The page of a form with its own path. */
import type { EnquiryTree, NoScriptState } from "../../schema/enquiry/enquiry.ts";
import type { LoadedPage } from "../shared/content.ts";
import { usePageContext } from "../shared/pageContext.ts";
import { EnquirySection, renderPortrait } from "./enquiry/EnquirySection.tsx";
import { Announcement } from "./extras/Announcement.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { FormClosed, NotFound } from "./NotFound.tsx";

/** The data of a form's page: the active form at its path, or whether an inactive one exists. */
export interface FormPageContent extends LoadedPage {
  readonly path: string;
  readonly enquiry: EnquiryTree | null;
  readonly isClosed: boolean;
  /** The result of posting the form without scripts. */
  readonly noScriptState: NoScriptState | null;
}

export function FormPage({ path, enquiry, isClosed, noScriptState, ...page }: FormPageContent) {
  const { assets } = usePageContext();
  if (enquiry === null) return isClosed ? <FormClosed /> : <NotFound />;
  return (
    <>
      <Navigation />
      <main id="main" className="page">
        <Announcement />
        <EnquirySection
          enquiry={enquiry}
          noScriptState={noScriptState}
          scriptUrl={assets.enquiryScript}
          path={path}
          portrait={renderPortrait(page)}
        />
      </main>
      <Footer credit="designedBy" />
    </>
  );
}
