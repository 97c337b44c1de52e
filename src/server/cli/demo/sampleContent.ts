// What `limelight demo` fills an empty site with: a fictional performer, told in data only.
//
// The keys are the names the public calls use (spec §7), the fields those of the entities (spec §3).
// A picture is named by its file in `pictures/`; the demo uploads it and puts its URL in the place.

import { sampleEnquiryForm } from "./sampleEnquiryForm.ts";
import { sampleSections } from "./sampleSections.ts";

export { sampleSubmissions } from "./sampleSubmissions.ts";
export { sampleSubscriptions } from "./sampleSubscriptions.ts";

const about = `<p>I left school to fit kitchens in Hull, and I spent every Friday night dancing in the one club that would let me on its stage. Then somebody filmed it.</p>
<p>That clip took me to an audition, the audition to a West End chorus line, and the chorus line to eleven weeks of living in a house full of cameras. I came third. I also learned what four million people see when you think nobody is looking, and it turned out to be mostly washing up.</p>
<p>These days I split the year in two. From autumn to spring I tour. In between I coach people who would rather do almost anything than walk into a gym, because I remember being one of them. Ask me about:</p>
<ul><li>live shows, cabaret and corporate evenings</li><li>presenting, and panels that need somebody cheerful before nine</li><li>one-to-one coaching, in Manchester or on a screen near you</li></ul>`;

/** Everything an empty site needs to look lived in; image fields hold picture file names. */
export const sampleContent = {
  site: {
    name: "Jonah Vale",
    contactEmail: "hello@example.com",
    agencyName: "Half Moon Studio",
    agencyUrl: "https://agency.example.com/",
  },
  hero: {
    mainTitle: "Jonah Vale",
    subtitle: "On tour this autumn",
    tagline: "Performer • Reality TV Personality • Coach",
    backgroundImage: "hero.webp",
  },
  about: { title: "ABOUT", content: about, image: "about.webp" },
  statistics: [
    { value: "11", label: "Years on stage", order: 0 },
    { value: "4M", label: "Viewers on final night", order: 1 },
    { value: "640+", label: "Live shows", order: 2 },
    { value: "212", label: "People coached", order: 3 },
  ],
  ...sampleSections,
  "coaching-hero": {
    mainTitle: "COACHING",
    subtitle: "& MENTORING",
    tagline: "Transform your potential into success",
    backgroundImage: "coaching-hero.webp",
  },
  form: sampleEnquiryForm,
  styles: {
    headingFont: "Bebas Neue",
    bodyFont: "Inter",
    primaryColor: "#00BFFF",
    backgroundColor: "#000000",
    textColor: "#FFFFFF",
    accentColor: "#C0C0C0",
    borderRadius: "8px",
    headingSize: "large",
    bodySize: "medium",
    heroBackgroundColor: "#0A0A0A",
    aboutBackgroundColor: "#1A1A1A",
    sectionBackgroundColor: "#0A0A0A",
  },
};
