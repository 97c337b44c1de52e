/**
 * What `limelight demo` fills an empty site with: a fictional performer, told in data only and shown in the look Spotlight. The keys
 * are the entities' names, the fields theirs. A picture is named by its file in `pictures/`; the demo
 * uploads it and puts its address in the place.
 */
import { present } from "../../../schema/present.ts";
import { lookNamed } from "../../../schema/looks.ts";

const look = present(lookNamed("spotlight"), "look Spotlight");

/** The collections of the sample site and the settings of their sections */
const sampleSections = {
  highlights: [
    poster("highlight-festival.webp", "Sunday, main field", "The one where it rained", 0),
    poster(
      "highlight-curtain.webp",
      "Five minutes to curtain",
      "The Velvet Hour, winter season",
      1,
    ),
    poster("highlight-microphone.webp", "The late set", "Forty small rooms, one microphone", 2),
    poster("highlight-lamps.webp", "Eleven weeks on air", "The House Next Door, series six", 3),
    poster("highlight-chair.webp", "The empty chair", "Monologues, Leeds", 4),
    poster("highlight-walk-home.webp", "The long way home", "After the second encore", 5),
    poster("highlight-opening-night.webp", "Opening night", "Palace Theatre, Manchester", 6),
    poster(
      "highlight-dressing-room.webp",
      "The half",
      "Dressing room four, lines nearly learnt",
      7,
    ),
  ],
  "highlight-settings": { heading: "HIGHLIGHTS", ...look.sections.highlightSettings },
  "connect-links": [
    link("instagram", "https://www.instagram.com/jonahvaledemo", "@jonahvale", 0),
    link("tiktok", "https://www.tiktok.com/@jonahvaledemo", "@jonahvale", 1),
    link("youtube", "https://www.youtube.com/@jonahvaledemo", "Jonah Vale", 2),
    link("twitter", "https://x.com/jonahvaledemo", "@jonahvale", 3),
    link("facebook", "https://www.facebook.com/jonahvaledemo", "Jonah Vale Live", 4),
    link("website", "https://tickets.example.com/jonah-vale", "Tour tickets", 5),
  ],
  "connect-settings": {
    heading: "CONNECT",
    description:
      "<p>Rehearsal clips, tour dates and the occasional burnt dinner. <strong>Say hello</strong>: I do read the messages.</p>",
    ...look.sections.connectSettings,
  },
  "press-features": [
    press("press-ledger.webp", "The Northern Ledger", "“The warmest hour in town”", 0),
    press("press-sofa.webp", "Sofa & Toast", "Breakfast guest, four times", 1),
    press("press-footlight.webp", "Footlight", "Cover story, spring issue", 2),
    press("press-harbour.webp", "Harbour FM", "Saturday co-host, summer run", 3),
    press("press-late.webp", "Late Edition", "“Third place, first-rate”", 4),
    press("press-form.webp", "Form Monthly", "Column: training for real life", 5),
  ],
  "press-settings": {
    heading: "PRESS & FEATURES",
    description: "Featured on major networks and publications",
    ...look.sections.pressSettings,
  },
  transformations: [
    change("transformation-kettlebell.webp", "The first kettlebell, week one", 0),
    change("transformation-barbell.webp", "Overhead, after two years of back pain", 1),
    change("transformation-rings.webp", "From ten seconds to four minutes", 2),
    change("transformation-punchbag.webp", "Back in the ring at forty-six", 3),
    change("transformation-runner.webp", "Sofa to a half marathon", 4),
    change("highlight-walk-home.webp", "Out of the door by six", 5),
    change("transformation-gym.webp", "One bag, ten minutes a day", 6),
    change("highlight-opening-night.webp", "Four flights without stopping", 7),
  ],
  "transformation-settings": {
    heading: "TRANSFORMATIONS",
    description: "Twelve weeks, ordinary kitchens, no miracle powders.",
    ...look.sections.transformationSettings,
  },
};

function poster(imageUrl: string, title: string, subtitle: string, order: number) {
  return { imageUrl, title, subtitle, order };
}

function link(platform: string, url: string, displayText: string, order: number) {
  return { platform, url, displayText, order, isActive: true };
}

function press(logoUrl: string, name: string, subtitle: string, order: number) {
  return { logoUrl, name, subtitle, order };
}

function change(imageUrl: string, title: string, order: number) {
  return { imageUrl, title, order };
}

const about = `<p>I left school to fit kitchens in Hull, and spent every Friday dancing in the one club that would let me on its stage.</p>
<p>Then somebody filmed it. That clip took me to an audition, the audition to a West End chorus line, and the chorus line to eleven weeks of living in a house full of cameras. I came third. I also learned what four million people see when you think nobody is looking, and it turned out to be mostly washing up.</p>
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
    buttonText: "Work with me",
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
    buttonText: "Apply for a place",
  },
  styles: { ...look.styles, headingSize: "large", bodySize: "medium" },
};
