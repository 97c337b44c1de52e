/** Sanitizes the owner's rich text, when it is stored and again when it is shown. */
import sanitize from "sanitize-html";
import { harmless } from "../../schema/harmless.ts";
import { safePictureUrl, safeUrl } from "../../schema/safeUrl.ts";

const TAGS = "p a strong b em i u s ul ol li h1 h2 h3 blockquote br span img".split(" ");

const COLOR = [
  /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i,
  /^(?:rgb|hsl)a?\([\d\s.,%/-]{1,40}\)$/i,
  /^[a-z]{3,20}$/i,
];
/** Levels 1 to 8 (specification, section 5.8): in em, or in the editor's steps of 10 or 20 px. */
const INDENT = [/^[1-8]em$/, /^(?:[1-9]0|1[0-6]0)px$/];

const STYLES = {
  color: COLOR,
  "background-color": COLOR,
  "text-align": [/^(?:left|right|center|justify)$/],
  "margin-left": INDENT,
  "padding-left": INDENT,
};

const DATA_PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z\d+/=\s]+$/i;

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    "*": ["style"],
    a: ["href", "target", "rel"],
    img: ["src", "alt", "width", "height"],
  },
  allowedStyles: { "*": STYLES },
  allowedSchemes: ["http", "https"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  nestingLimit: 32,
  transformTags: { a: safeLink, img: safePicture, strike: "s", del: "s" },
  textFilter: (text) => text.replace(BREAKS, "<br />"),
  exclusiveFilter: ({ tag, attribs }) => tag === "img" && !attribs.src,
};

/**
 * The allowed part of the HTML: paragraphs, headings 1 to 3, lists, quotes, links, pictures and the toolbar's
 * emphasis; http and https URLs, and data URLs for pictures only.
 */
export function cleanHtml(html: string): string {
  return harmless(sanitize(html, OPTIONS)).replace(CONTROLS, "");
}

/** A break of a word processor within a line, and a browser's line separator. */
const BREAKS = /[\v\u2028]/g;
// What is left of control characters besides tabs and line breaks.
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** A link may open in a new tab, but never tells the other site where it came from. */
function safeLink(tagName: string, { href, target, style }: sanitize.Attributes): sanitize.Tag {
  const address = safeUrl(href);
  const attribs = {
    ...(address && /^(?:https?:|\/)/i.test(address) && { href: address }),
    ...(target === "_blank" && { target }),
    rel: "noopener noreferrer",
    ...(style && { style }),
  };
  return { tagName, attribs };
}

function safePicture(tagName: string, given: sanitize.Attributes): sanitize.Tag {
  const { src = "", alt = "", width = "", height = "", style } = given;
  const address = DATA_PICTURE.test(src) ? src : safePictureUrl(src);
  const attribs = {
    ...(address && { src: address }),
    alt,
    ...(/^\d{1,5}$/.test(width) && { width }),
    ...(/^\d{1,5}$/.test(height) && { height }),
    ...(style && { style }),
  };
  return { tagName, attribs };
}
