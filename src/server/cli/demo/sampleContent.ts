/**
 * What `limelight demo` fills an empty site with: a fictional performer, told in data only. The keys
 * are the entities' names, the fields theirs. A picture is named by its file in `pictures/`; the demo
 * uploads it and puts its address in the place.
 */

const colors = { backgroundColor: "#0A0A0A", textColor: "#FFFFFF", accentColor: "#00BFFF" };

/** The collections of the sample site and the settings of their sections */
const sampleSections = {
  highlights: [
    {
      imageUrl: "highlight-opening-night.webp",
      title: "Opening night",
      subtitle: "Palace Theatre, Manchester",
      order: 0,
    },
    {
      imageUrl: "highlight-red-curtain.webp",
      title: "Five minutes to curtain",
      subtitle: "The Velvet Hour, winter season",
      order: 1,
    },
    {
      imageUrl: "highlight-microphone.webp",
      title: "The late set",
      subtitle: "Forty small rooms, one microphone",
      order: 2,
    },
    {
      imageUrl: "highlight-leap.webp",
      title: "The leap",
      subtitle: "Final number, Glass House tour",
      order: 3,
    },
    {
      imageUrl: "highlight-studio.webp",
      title: "Eleven weeks on air",
      subtitle: "The House Next Door, series six",
      order: 4,
    },
    {
      imageUrl: "highlight-festival.webp",
      title: "Sunday, main field",
      subtitle: "The one where it rained",
      order: 5,
    },
    {
      imageUrl: "highlight-walk-home.webp",
      title: "The long way home",
      subtitle: "Leeds, after the second encore",
      order: 6,
    },
    {
      imageUrl: "highlight-dressing-room.webp",
      title: "The half",
      subtitle: "Dressing room four, lines nearly learnt",
      order: 7,
    },
  ],
  "highlight-settings": { heading: "HIGHLIGHTS", ...colors, backgroundColor: "#000000" },
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
    ...colors,
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
    ...colors,
  },
  transformations: [
    change("transformation-kettlebell.webp", "The first kettlebell, week one", 0),
    change("transformation-overhead.webp", "Overhead, after two years of back pain", 1),
    change("transformation-boxing.webp", "Back in the ring at forty-six", 2),
    change("transformation-stretch.webp", "Found her toes in six weeks", 3),
    change("transformation-plank.webp", "From ten seconds to four minutes", 4),
    change("transformation-rope.webp", "Two hundred turns without a trip", 5),
    change("transformation-runner.webp", "Sofa to a half marathon", 6),
    change("transformation-standing.webp", "Three stone lighter, a foot taller", 7),
  ],
  "transformation-settings": {
    heading: "TRANSFORMATIONS",
    description: "Twelve weeks, ordinary kitchens, no miracle powders.",
    backgroundColor: "#0a0a0a",
    textColor: "#ffffff",
    accentColor: "#00bfff",
  },
};

function link(platform: string, url: string, displayText: string, order: number) {
  return { platform, url, displayText, order, isActive: true };
}

function press(logoUrl: string, name: string, subtitle: string, order: number) {
  return { logoUrl, name, subtitle, order };
}

function change(imageUrl: string, title: string, order: number) {
  return { imageUrl, title, order };
}

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
