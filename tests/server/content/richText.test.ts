/** Rich text is sanitized when it is stored (specification, section 5.8). */
import { describe, expect, test } from "bun:test";
import { sanitizeHtml } from "../../../src/server/content/sanitizeHtml.ts";
import { ownerOf, setUpSiteForAll, startSite } from "../../support/testSite.ts";

const ALLOWED = [
  "<h1>A</h1><h2>B</h2><h3>C</h3><p>x <strong>b</strong><b>b</b><em>i</em><i>i</i><u>u</u><s>s</s></p>",
  "<ul><li>one</li></ul><ol><li>two</li></ol><blockquote>q</blockquote><p><br /><span>s</span></p>",
  '<p style="text-align:center;color:#ff0000;background-color:rgb(1, 2, 3)">x</p>',
  '<p style="margin-left:20px">x</p><p style="padding-left:8em">x</p><p style="margin-left:160px">x</p>',
  '<img src="/uploads/a.webp" alt="A" width="10" height="20" />',
  '<img src="data:image/png;base64,iVBORw0KGgo=" alt="" />',
  '<p><a href="mailto:a@b.example" rel="noopener noreferrer">a</a> <a href="tel:+447700900123" rel="noopener noreferrer">b</a></p>',
  '<a href="/coaching" rel="noopener noreferrer">x</a>',
  '<a href="https://a.example/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>',
];

const BARE_TEXT = "a";
const REMOVED: [string, string, string][] = [
  ["scripts", "<p>a<script>alert(1)</script></p>", "<p>a</p>"],
  [
    "handlers",
    '<p onclick="x()">a</p><img src="/a.png" onerror="x()">',
    '<p>a</p><img src="/a.png" alt="" />',
  ],
  ["javascript: links", '<a href="javascript:alert(1)">a</a>', BARE_TEXT],
  ["disguised javascript:", '<a href="java\tscript:alert(1)">a</a>', BARE_TEXT],
  ["entities in javascript:", '<a href="&#106;avascript:x()">a</a>', BARE_TEXT],
  ["data: links", '<a href="data:text/html,x">a</a>', BARE_TEXT],
  ["links without an address", '<p><a name="top">a</a> <a><b>b</b></a></p>', "<p>a <b>b</b></p>"],
  ["protocol-relative links", '<a href="//e.example">a</a><a href="/\\e.example">b</a>', "ab"],
  ["protocol-relative pictures", '<img src="//e.example/a.png">', ""],
  ["data: pictures of other types", '<img src="data:image/svg+xml;base64,PHN2Zz4=">', ""],
  [
    "other targets",
    '<a href="/a" target="x">a</a>',
    '<a href="/a" rel="noopener noreferrer">a</a>',
  ],
  [
    "svg and math",
    "<svg><a xlink:href='javascript:x()'><text>a</text></a></svg><math><mi>b</mi></math>",
    "",
  ],
  ["textarea", "<textarea><img src=x onerror=y></textarea>", ""],
  [
    "iframes, forms and styles",
    "<iframe src='/a'></iframe><form><input></form><style>*{}</style><p>a</p>",
    "<p>a</p>",
  ],
  ["classes and ids", '<p class="x" id="y">a</p>', "<p>a</p>"],
  [
    "styles outside of the list",
    '<p style="position:fixed;background:url(//e.example);color:red">a</p>',
    '<p style="color:red">a</p>',
  ],
  [
    "url() and expressions as colors",
    '<p style="color:url(x);background-color:expression(x)">a</p>',
    "<p>a</p>",
  ],
  [
    "indents in other units, and what is in a style without being one",
    '<p style="margin-left:9%;padding-left:-20px;text-align;:;constructor:x">a</p>',
    "<p>a</p>",
  ],
  ["comments", "<p>a<!-- <img src=x onerror=y> --></p>", "<p>a</p>"],
];

test.each(ALLOWED)("sanitizing rich text keeps %s", (html) => {
  expect(sanitizeHtml(html)).toBe(html);
});

test.each(REMOVED)("sanitizing rich text removes %s", (_, html, clean) => {
  const cleaned = sanitizeHtml(html);
  if (clean === "") expect(cleaned).not.toMatch(/</);
  else expect(cleaned).toBe(clean);
  expect(sanitizeHtml(cleaned)).toBe(cleaned);
});

/** Markup of older content, other editors, or repeated clicks. */
const CONVERTED: [string, string, string][] = [
  [
    "indents beyond level 8 are brought down",
    '<p style="margin-left:9em;padding-left:200px">a</p><p style="margin-left: 170px">b</p>',
    '<p style="margin-left:8em;padding-left:160px">a</p><p style="margin-left:160px">b</p>',
  ],
  [
    "Quill's indents and alignments",
    '<p class="ql-indent-3 ql-align-center">a</p><ul><li class="ql-indent-1">b</li></ul><h2 class="ql-align-justify">c</h2>',
    '<p style="margin-left:60px;text-align:center">a</p><ul><li style="margin-left:20px">b</li></ul><h2 style="text-align:justify">c</h2>',
  ],
  [
    "Quill's indents beyond level 8",
    '<p class="ql-indent-9">a</p>',
    '<p style="margin-left:160px">a</p>',
  ],
  [
    "a style wins over a class",
    '<p class="ql-align-right" style="text-align:center">a</p>',
    '<p style="text-align:center">a</p>',
  ],
  ["indents in points", '<p style="margin-left:36pt">a</p>', '<p style="margin-left:50px">a</p>'],
];

test.each(CONVERTED)("sanitizing converts rich text of other editors: %s", (_, html, clean) => {
  expect(sanitizeHtml(html)).toBe(clean);
  expect(sanitizeHtml(clean)).toBe(clean);
});

/** Markup of other editors and programs, and of calls: every block ends a paragraph. */
const BLOCKS: [string, string, string][] = [
  [
    "a mail program's lines",
    "First<div>Second <b>bold</b></div><div><br></div><div>Third</div>",
    "<p>First</p><p>Second <b>bold</b></p><p>Third</p>",
  ],
  [
    "blocks in blocks",
    "<div><div>a</div>b<section><p>c</p></section></div>",
    "<p>a</p><p>b</p><p>c</p>",
  ],
  [
    "an emphasis over several blocks",
    "<b><div>a</div><div>b <i>c</i></div></b>d",
    "<p><b>a</b></p><p><b>b <i>c</i></b></p><p>d</p>",
  ],
  [
    "a link over blocks",
    '<a href="/a"><div>a</div><h4>b</h4></a>',
    '<p><a href="/a" rel="noopener noreferrer">a</a></p><p><a href="/a" rel="noopener noreferrer">b</a></p>',
  ],
  ["smaller headings", "<h4>a</h4><h5>b</h5><h6>c</h6>", "<p>a</p><p>b</p><p>c</p>"],
  [
    "blocks in items",
    "<ul><li><div>a</div><div>b</div></li><li>c</li></ul>",
    "<ul><li>a<br />b</li><li>c</li></ul>",
  ],
  ["blocks in a heading", "<h1><div>a</div><div>b</div></h1>", "<h1>a<br />b</h1>"],
  [
    "blocks in a quote",
    "<blockquote><div>a</div><div>b</div></blockquote>",
    "<blockquote><p>a</p><p>b</p></blockquote>",
  ],
  [
    "tables as lines",
    "<table><caption>x</caption><tbody><tr><th>a</th><td><b>b</b></td></tr><tr><td>c</td></tr></tbody></table>",
    "<p>x</p><p>a · <b>b</b></p><p>c</p>",
  ],
  ["definition lists as lines", "<dl><dt>a</dt><dd>b</dd></dl>", "<p>a</p><p>b</p>"],
  ["breaks of preformatted text", "<pre>a\nb</pre>", "<p>a<br />b</p>"],
  [
    "text that shows tags",
    "<xmp><script>x</script></xmp><option>a</option>",
    "<p>&lt;script&gt;x&lt;/script&gt;</p><p>a</p>",
  ],
  ["rules", "a<hr>b<div>c</div>", "<p>a</p><p>b</p><p>c</p>"],
  [
    "an alignment for the lines within",
    '<div style="text-align:center"><p>a</p>b</div><center>c</center>',
    '<p style="text-align:center">a</p><p style="text-align:center">b</p><p>c</p>',
  ],
  [
    "pictures",
    '<figure><img src="/a.png"><figcaption>a</figcaption></figure>',
    '<p><img src="/a.png" alt="" /></p><p>a</p>',
  ],
  ["other lists", "<menu><li>a</li></menu>", "<ul><li>a</li></ul>"],
  ["what is in no item", "<ul><div>a</div><li>b</li></ul>", "<ul><li>a</li><li>b</li></ul>"],
  ["empty blocks", "<div> <span></span></div><p>a</p>", "<p>a</p>"],
];

test.each(BLOCKS)("sanitizing rich text turns %s into paragraphs", (_, html, clean) => {
  expect(sanitizeHtml(html)).toBe(clean);
  expect(sanitizeHtml(clean)).toBe(clean);
});

test("sanitizing turns 2,500 blocks into paragraphs in less than two seconds", () => {
  const blocks = "<div><b>a</b></div>".repeat(2500);
  const before = performance.now();
  expect(sanitizeHtml(blocks)).toBe("<p><b>a</b></p>".repeat(2500));
  expect(performance.now() - before).toBeLessThan(2000);
});

test("sanitizing flattens 30,000 nested tags", () => {
  const deep = `${"<b>".repeat(30_000)}x${"</b>".repeat(30_000)}`;
  expect(sanitizeHtml(deep).length).toBeLessThan(1000);
});

describe("over HTTP", () => {
  const site = setUpSiteForAll(startSite);
  const owner = ownerOf(site);

  test("rich text with more than 5,000 tags is refused", async () => {
    const paragraph = "<p>a</p>";
    const about = (count: number) =>
      site.asOwner("POST", "/api/about", { title: "Ada", content: paragraph.repeat(count) });
    await about(2500);
    await expect(about(2501)).rejects.toThrow("This text has too much formatting.");
  });

  test("stored and returned rich text is sanitized", async () => {
    const content = '<p>Hi<script>x()</script> <a href="javascript:x()">you</a></p>';
    const { body } = await owner.post("/api/about", { content });
    expect(body.content).toBe("<p>Hi you</p>");
    const description = "<p onmouseover=x()>Follow</p>";
    expect((await owner.post("/api/connect-settings", { description })).body.description).toBe(
      "<p>Follow</p>",
    );
    expect(site.readStored()).not.toMatch(/javascript:|onmouseover|<script/);
  });
});
