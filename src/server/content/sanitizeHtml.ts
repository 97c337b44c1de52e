/** Sanitizes the owner's rich text, when it is stored and again when it is shown. */
import sanitize from "sanitize-html";
import { removeInvisible } from "../../schema/core/invisibleCharacters.ts";
import { toSafeUrl } from "../../schema/core/safeUrl.ts";
import {
  RICH_TAGS,
  filterRichPicture,
  normalizeRichStyle,
} from "../../schema/kinds/richTextRules.ts";
import { MARKER_BY_TAG, BLOCK_MARKERS, convertToParagraphs } from "./paragraphs.ts";

const SANITIZE_OPTIONS: sanitize.IOptions = {
  allowedTags: [...RICH_TAGS, ...BLOCK_MARKERS],
  allowedAttributes: {
    "*": ["style"],
    a: ["href", "target", "rel"],
    img: ["src", "alt", "width", "height"],
  },
  // Leaves styles to `normalizeStyle`.
  parseStyleAttributes: false,
  allowedSchemes: ["http", "https", "mailto", "tel"],
  allowedSchemesByTag: { img: ["http", "https", "data"] },
  allowProtocolRelative: false,
  // Elements that are removed together with their text.
  nonTextTags: ["script", "style", "textarea", "option", "noscript", "svg", "math", "xml"],
  nestingLimit: 32,
  transformTags: {
    a: sanitizeLink,
    img: sanitizePicture,
    strike: "s",
    del: "s",
    menu: "ul",
    dir: "ul",
    ...MARKER_BY_TAG,
    "*": normalizeStyle,
  },
  textFilter: (text) => text.replace(LINE_SEPARATOR_PATTERN, "<br />"),
  exclusiveFilter: ({ tag, attribs }) => {
    // Removes a link without an address, but not its text.
    if (tag === "a" && !attribs["href"]) return "excludeTag";
    return tag === "img" && !attribs["src"];
  },
};

/** Returns the HTML without anything that `richTextRules.ts` doesn't allow. */
export function sanitizeHtml(html: string): string {
  return convertToParagraphs(
    removeInvisible(sanitize(html, SANITIZE_OPTIONS)).replace(CONTROL_CHARACTER_PATTERN, ""),
  );
}

/** Matches the vertical tab, which word processors write for a line break, and the Unicode line separator. */
const LINE_SEPARATOR_PATTERN = /[\v\u2028]/g;
// Matches the other control characters, except tabs and line breaks.
// oxlint-disable-next-line no-control-regex
const CONTROL_CHARACTER_PATTERN = /[\u0000-\u0008\u000e-\u001f\u007f]/g;

/** Lets a link open in a new tab. `rel` hides the visitor's page from the other site. */
function sanitizeLink(
  tagName: string,
  { href, target, style = "", class: className = "" }: sanitize.Attributes,
): sanitize.Tag {
  const safeUrl = toSafeUrl(href);
  const attribs = {
    ...(safeUrl && { href: safeUrl }),
    ...(target === "_blank" && { target }),
    rel: "noopener noreferrer",
    style,
    class: className,
  };
  return { tagName, attribs };
}

function sanitizePicture(tagName: string, attributes: sanitize.Attributes): sanitize.Tag {
  const {
    src = "",
    alt = "",
    width = "",
    height = "",
    style = "",
    class: className = "",
  } = attributes;
  const safeUrl = filterRichPicture(src);
  const attribs = {
    ...(safeUrl && { src: safeUrl }),
    alt,
    ...(/^\d{1,5}$/.test(width) && { width }),
    ...(/^\d{1,5}$/.test(height) && { height }),
    style,
    class: className,
  };
  return { tagName, attribs };
}

/** Writes the allowed styles. The library calls this last, after the transformations that may set styles. */
function normalizeStyle(
  tagName: string,
  { style, class: className, ...rest }: sanitize.Attributes,
) {
  const normalizedStyle = normalizeRichStyle(style, className);
  return { tagName, attribs: { ...rest, ...(normalizedStyle && { style: normalizedStyle }) } };
}
