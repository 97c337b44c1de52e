/** The calls of the content as data (specification, section 7.2): what is sent, what is answered, what is refused. */

/** A body that is refused, and the words for it. */
export interface Refused {
  readonly body: Record<string, unknown>;
  readonly words: string;
}

export interface SingletonCase {
  readonly name: string;
  /** Sent as the specification lists it, answered with at least the same. */
  readonly body: Record<string, unknown>;
  /** A part of it: the rest stays. */
  readonly part: Record<string, unknown>;
  readonly refused: readonly Refused[];
}

export interface CollectionCase extends SingletonCase {
  /** What was left out and is filled in. */
  readonly filled: Record<string, unknown>;
}

const colors = { backgroundColor: "#101010", textColor: "#fafafa", accentColor: "#00BFFF" };
const noColor = { body: { accentColor: "url(x)" }, words: "Enter a color such as #00BFFF." };
const TEXT_FIELDS = "Please fill in all text fields";
const PICTURE = "Choose an uploaded picture, or enter an address that starts with https://.";

export const SINGLETONS: readonly SingletonCase[] = [
  {
    name: "hero",
    body: {
      mainTitle: "Ada Star",
      subtitle: "On stage",
      tagline: "Performer • Coach",
      backgroundImage: "/uploads/a.webp",
    },
    part: { backgroundImage: null },
    refused: [
      { body: { mainTitle: " " }, words: TEXT_FIELDS },
      { body: { subtitle: "" }, words: TEXT_FIELDS },
      { body: { tagline: "" }, words: TEXT_FIELDS },
      { body: { backgroundImage: "javascript:alert(1)" }, words: PICTURE },
      { body: { backgroundImage: "//elsewhere.example/a.png" }, words: PICTURE },
      { body: { mainTitle: 7 }, words: "This must be text." },
    ],
  },
  {
    name: "about",
    body: { title: "ABOUT ME", content: "<p>Hello <strong>you</strong></p>", image: "/a.jpg" },
    part: { title: "ME" },
    refused: [
      { body: { title: "  ", content: "<p>x</p>" }, words: "Title and content are required" },
      { body: { content: "<p>&nbsp;</p>" }, words: "Title and content are required" },
      { body: { content: "<script>x()</script>" }, words: "Title and content are required" },
      {
        body: { content: "x".repeat(200_001) },
        words: "This text is too long. It can be at most 200 KB, pictures included.",
      },
    ],
  },
  {
    name: "styles",
    body: {
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
    part: { heroBackgroundColor: "#1a1a1a" },
    refused: [
      {
        body: { headingFont: "x;}body{display:none" },
        words: "Use letters, digits, spaces and hyphens only.",
      },
      { body: { borderRadius: "calc(1px)" }, words: "Enter a length such as 8px, 0.5rem or 0." },
      { body: { headingSize: "giant" }, words: "Choose one of the options." },
      { ...noColor },
    ],
  },
  {
    name: "highlight-settings",
    body: { heading: "MOMENTS", ...colors },
    part: { heading: "H" },
    refused: [noColor],
  },
  {
    name: "connect-settings",
    body: { heading: "FOLLOW", description: "<p>Follow me</p>", ...colors },
    part: { description: "" },
    refused: [noColor],
  },
  {
    name: "press-settings",
    body: { heading: "PRESS", description: "Seen in", ...colors },
    part: { description: null },
    refused: [noColor],
  },
  {
    name: "coaching-hero",
    body: { mainTitle: "COACH", subtitle: "ME", tagline: "Go", backgroundImage: null },
    part: { backgroundImage: "https://pictures.example/a.png" },
    refused: [{ body: { backgroundImage: "data:text/html,x" }, words: PICTURE }],
  },
  {
    name: "transformation-settings",
    body: { heading: "BEFORE & AFTER", description: "Look", ...colors },
    part: { heading: "T" },
    refused: [noColor],
  },
  {
    name: "site",
    body: { name: "Ada Star", contactEmail: "ada@example.com", agencyName: null, agencyUrl: null },
    part: { agencyUrl: "https://agency.example" },
    refused: [
      { body: { name: "" }, words: "The site needs a name" },
      {
        body: { contactEmail: "nobody" },
        words: "Enter an email address such as name@example.com.",
      },
    ],
  },
];

const noOrder = { words: "The order must be a whole number." };

export const COLLECTIONS: readonly CollectionCase[] = [
  {
    name: "statistics",
    body: { value: "15+", label: "Years" },
    filled: { order: 0 },
    part: { label: "Shows" },
    refused: [
      { body: { value: " ", label: "Years" }, words: "Value and label are required" },
      { body: { value: "1", label: "" }, words: "Value and label are required" },
      { body: { value: "1", label: "Years", order: 1.5 }, ...noOrder },
    ],
  },
  {
    name: "highlights",
    body: { title: "Opening night", imageUrl: "/uploads/a.webp" },
    filled: { subtitle: null, order: 0 },
    part: { subtitle: "London" },
    refused: [
      { body: { title: "", imageUrl: "/a.png" }, words: "Title and image are required" },
      { body: { title: "T", imageUrl: "" }, words: "Title and image are required" },
      { body: { title: "T", imageUrl: "/\\elsewhere.example" }, words: PICTURE },
    ],
  },
  {
    name: "press-features",
    body: { name: "The Stage", subtitle: "Interview" },
    filled: { description: null, logoUrl: null, order: 0 },
    part: { description: "A talk", logoUrl: "/logo.png" },
    refused: [
      { body: { name: "", subtitle: "x" }, words: "Name and subtitle are required" },
      { body: { name: "x", subtitle: " " }, words: "Name and subtitle are required" },
    ],
  },
  {
    name: "connect-links",
    body: { platform: "tiktok", url: "https://tiktok.com/@ada", displayText: "TikTok" },
    filled: { order: 0, isActive: true },
    part: { isActive: false },
    refused: [
      {
        body: { url: "", displayText: "x" },
        words: "URL and Display Text are required",
      },
      {
        body: { url: "https://a.example", displayText: "" },
        words: "URL and Display Text are required",
      },
      {
        body: { url: "javascript:alert(1)", displayText: "x" },
        words:
          "Enter a full address that starts with https:// (mailto:, tel: and paths on this site work too).",
      },
      {
        body: { url: "https://a.example", displayText: "x", isActive: "yes" },
        words: "This must be true or false.",
      },
    ],
  },
  {
    name: "transformations",
    body: { imageUrl: "/uploads/b.webp" },
    filled: { title: null, order: 0 },
    part: { title: "Spring" },
    refused: [{ body: { imageUrl: " " }, words: "Image is required" }],
  },
  {
    name: "forms",
    body: { name: "Form 1", title: "New Form", subtitle: "Enter your details below" },
    filled: { description: "", isActive: true, thankYouMessage: "", redirectUrl: null },
    part: { title: "Coaching", thankYouMessage: "Thanks!", redirectUrl: "/coaching" },
    refused: [
      { body: { title: "" }, words: "A form needs a title" },
      {
        body: { redirectUrl: "//elsewhere.example" },
        words:
          "Enter a full address that starts with https:// (mailto:, tel: and paths on this site work too).",
      },
    ],
  },
];
