/** The accepted and refused values of each part of the content (specification, section 7.2). */

const colors = { backgroundColor: "#101010", textColor: "#fafafa", accentColor: "#00BFFF" };

/** By name: the fields that the specification lists. */
export const SINGLETONS: Readonly<Record<string, object>> = {
  hero: { mainTitle: "Ada", subtitle: "On stage", tagline: "Coach", backgroundImage: "/a.webp" },
  about: { title: "ABOUT ME", content: "<p>Hello <strong>you</strong></p>", image: "/a.jpg" },
  styles: {
    headingFont: "Oswald",
    bodyFont: "Lato",
    primaryColor: "#00BFFF",
    backgroundColor: "black",
    textColor: "rgb(255, 255, 255)",
    accentColor: "#C0C0C0",
    borderRadius: "12px",
    headingSize: "xlarge",
    bodySize: "small",
    heroBackgroundColor: "#0A0A0A",
    aboutBackgroundColor: "#1A1A1A",
    sectionBackgroundColor: "#0A0A0A",
  },
  "highlight-settings": { heading: "MOMENTS", ...colors },
  "connect-settings": { heading: "FOLLOW", description: "<p>Follow me</p>", ...colors },
  "press-settings": { heading: "PRESS", description: "Seen in", ...colors },
  "coaching-hero": { mainTitle: "COACH", subtitle: "ME", tagline: "Go", backgroundImage: null },
  "transformation-settings": { heading: "BEFORE & AFTER", description: "Look", ...colors },
  site: { name: "Ada Star", contactEmail: "ada@example.com", agencyName: null, agencyUrl: null },
};

/** The fields that the specification lists, and the values of omitted ones. */
export const COLLECTIONS: Readonly<Record<string, readonly [body: object, filled: object]>> = {
  statistics: [{ value: "15+", label: "Years" }, { order: 0 }],
  highlights: [
    { title: "Opening night", imageUrl: "/a.webp" },
    { subtitle: null, order: 0 },
  ],
  "press-features": [
    { name: "The Stage", subtitle: "Interview" },
    { description: null, logoUrl: null, order: 0 },
  ],
  "connect-links": [
    { platform: "tiktok", url: "https://tiktok.com/@ada", displayText: "TikTok" },
    { order: 0, isActive: true },
  ],
  transformations: [{ imageUrl: "/uploads/b.webp" }, { title: null, order: 0 }],
  forms: [
    { name: "Form 1", title: "New Form", subtitle: "Enter your details below" },
    { description: "", isActive: true, thankYouMessage: "", redirectUrl: null },
  ],
};

const TEXT_FIELDS = "Please fill in all text fields";
const PICTURE = "Choose an uploaded image or enter a URL that starts with https://.";
const ADDRESS =
  "Enter a full URL that starts with https://. Email links (mailto:), phone links (tel:) and pages of this site work too.";
const COLOR = "Enter a color such as #00BFFF.";
const TOO_LONG = "This text is too long. The limit is 200 KB, including images.";
const ABOUT = "Title and content are required";
const LINK = "URL and Display Text are required";
const link = { url: "https://a.example", displayText: "x" };
const PACKAGE = { title: "Twelve weeks" };
const createLengthMessage = (characters: number) => `Use at most ${characters} characters.`;
const TESTIMONIAL = { words: "He said one sentence.", name: "Mia Okafor" };
const TWO_MISSING = "A testimonial needs a quote and a name";
const VIDEO = { title: "Reel", url: "https://vimeo.com/1", poster: "/uploads/a.jpg" };
const THREE_MISSING = "A video needs a title, a link and a cover image";
const LENGTHS = ["2.10", "2:1", "2", "1:2:3:4", "soon"];
const DATE = { title: "The Velvet Hour", startsAt: "2099-03-14T20:00" };
const EARLY = "The end must be after the start.";

/** Bodies that are refused, and the messages. */
export const REFUSED_CASES: readonly (readonly [name: string, body: object, words: string])[] = [
  ["hero", { mainTitle: " " }, TEXT_FIELDS],
  ["hero", { subtitle: "" }, TEXT_FIELDS],
  ["hero", { tagline: "" }, TEXT_FIELDS],
  ["hero", { backgroundImage: "javascript:alert(1)" }, PICTURE],
  ["hero", { backgroundImage: "//elsewhere.example/a.png" }, PICTURE],
  ["hero", { mainTitle: 7 }, "This must be text."],
  ["about", { title: "  ", content: "<p>x</p>" }, ABOUT],
  ["about", { content: "<p>&nbsp;</p>" }, ABOUT],
  ["about", { content: "<script>x()</script>" }, ABOUT],
  ["about", { content: "x".repeat(200_001) }, TOO_LONG],
  ["styles", { headingFont: "x;}body{" }, "Use letters, digits, spaces and hyphens only."],
  ["styles", { borderRadius: "calc(1px)" }, "Enter a length such as 8px, 0.5rem or 0."],
  ["styles", { headingSize: "giant" }, "Choose one of the options."],
  ["styles", { accentColor: "url(x)" }, COLOR],
  ["highlight-settings", { accentColor: "url(x)" }, COLOR],
  ["connect-settings", { accentColor: "url(x)" }, COLOR],
  ["press-settings", { accentColor: "url(x)" }, COLOR],
  ["transformation-settings", { accentColor: "url(x)" }, COLOR],
  ["coaching-hero", { backgroundImage: "data:text/html,x" }, PICTURE],
  ["site", { name: "" }, "Enter a site name"],
  ["site", { contactEmail: "nobody" }, "Enter an email address such as name@example.com."],
  ["statistics", { value: " ", label: "Years" }, "Value and label are required"],
  ["statistics", { value: "1", label: "" }, "Value and label are required"],
  ["statistics", { value: "1", label: "A", order: 1.5 }, "The order must be a whole number."],
  ["highlights", { title: "", imageUrl: "/a.png" }, "Title and image are required"],
  ["highlights", { title: "T", imageUrl: "" }, "Title and image are required"],
  ["highlights", { title: "T", imageUrl: "/\\elsewhere.example" }, PICTURE],
  ["press-features", { name: "", subtitle: "x" }, "Name and subtitle are required"],
  ["press-features", { name: "x", subtitle: " " }, "Name and subtitle are required"],
  ["connect-links", { ...link, url: "" }, LINK],
  ["connect-links", { ...link, displayText: "" }, LINK],
  ["connect-links", { ...link, url: "javascript:alert(1)" }, ADDRESS],
  ["connect-links", { ...link, isActive: "yes" }, "This must be true or false."],
  ["transformations", { imageUrl: " " }, "Image is required"],
  ["forms", { title: "" }, "A form needs a title"],
  ["forms", { redirectUrl: "//elsewhere.example" }, ADDRESS],
  ["packages", { title: "" }, "A package needs a title"],
  ["packages", { ...PACKAGE, points: "a\n".repeat(13) }, "Use at most 12 lines."],
  ["packages", { title: "a".repeat(81) }, createLengthMessage(80)],
  ["packages", { ...PACKAGE, price: "a".repeat(41) }, createLengthMessage(40)],
  ["packages", { ...PACKAGE, per: "a".repeat(41) }, createLengthMessage(40)],
  ["packages", { ...PACKAGE, buttonText: "a".repeat(41) }, createLengthMessage(40)],
  ["packages", { ...PACKAGE, buttonLink: "javascript:alert(1)" }, ADDRESS],
  ["testimonials", { ...TESTIMONIAL, words: "" }, TWO_MISSING],
  ["testimonials", { ...TESTIMONIAL, name: "" }, TWO_MISSING],
  ["testimonials", { ...TESTIMONIAL, words: "x".repeat(601) }, createLengthMessage(600)],
  ["testimonials", { ...TESTIMONIAL, link: "javascript:alert(1)" }, ADDRESS],
  ["videos", { ...VIDEO, title: "" }, THREE_MISSING],
  ["videos", { ...VIDEO, url: "" }, THREE_MISSING],
  ["videos", { ...VIDEO, poster: "" }, THREE_MISSING],
  ...LENGTHS.map(
    (length) => ["videos", { ...VIDEO, length }, "Enter a length such as 2:10."] as const,
  ),
  ["events", { ...DATE, endsAt: DATE.startsAt }, EARLY],
  [
    "events",
    { ...DATE, endsAt: "2099-05-14T20:00" },
    "An event can last up to 31 days. Add another event for the rest.",
  ],
  ["events", { ...DATE, endsAt: "2099-03-13T00:00", allDay: true }, EARLY],
  ["events", { ...DATE, startsAt: "2099-02-30T20:00" }, "Enter a date such as March 14, 2027."],
  ["events", { ...DATE, startsAt: "2099-03-14T25:00" }, "Enter a time such as 20:00."],
  ["events", { ...DATE, timeZone: "+01:00" }, "Choose one of the options."],
];
