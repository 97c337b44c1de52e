/** The coaching page. */
import { getRouteApi } from "@tanstack/react-router";
import { EnquirySection } from "./enquiry/EnquirySection.tsx";
import { Footer } from "./Footer.tsx";
import { Navigation } from "./Navigation.tsx";
import { CoachingHero } from "./sections/CoachingHero.tsx";
import { Transformations } from "./sections/Transformations.tsx";

const route = getRouteApi("/coaching");

/** Shows /coaching (spec section 2). */
export function Coaching() {
  const page = route.useLoaderData();
  return (
    <>
      <Navigation />
      <main id="main" className="page" suppressHydrationWarning>
        <CoachingHero {...page} />
        <Transformations {...page} />
        <EnquirySection enquiry={page.enquiry} plain={page.plain} />
      </main>
      <Footer credit="Designed by" />
    </>
  );
}
