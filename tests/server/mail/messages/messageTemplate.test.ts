/** Every message has the same content as text and as HTML, escaped, in the site's look, in both directions. */
import { expect, test } from "bun:test";
import { renderMessage } from "../../../../src/server/mail/messages/messageTemplate.tsx";
import type { MessageContent } from "../../../../src/server/shared/message.ts";

const FRAME: MessageContent = {
  siteName: "Vera Lane",
  color: "#7a1f3d",
  onColor: "#FFFFFF",
  language: "en",
  siteUrl: "https://vera.example",
  title: "Hello <Ann> & co",
  blocks: [],
  footer: "You asked for it.",
};

test("the plain text of a message has every part in order, with lists and full URLs", () => {
  const { text } = renderMessage({
    ...FRAME,
    blocks: [
      { kind: "heading", text: "News" },
      {
        kind: "rich",
        html:
          '<p>Tom &amp; <strong>Jo</strong>,<br />see <a href="/coaching">the page</a></p>\n' +
          '<ul><li>one</li><li>two</li></ul><p><img src="/uploads/a.webp" alt="A stage" /></p>',
      },
      { kind: "answer", label: "Goals", answer: "Rest\nPlay" },
      { kind: "quote", text: "first\nsecond" },
      { kind: "button", label: "Open", url: "https://vera.example/x?a=1&b=2" },
      { kind: "line" },
      { kind: "small", text: "the end" },
    ],
    links: [{ label: "Unsubscribe", url: "https://vera.example/u" }],
    address: "1 Stage Road\nLondon",
  });
  expect(text).toBe(
    [
      "Hello <Ann> & co",
      "News",
      "Tom & Jo,\nsee the page (https://vera.example/coaching)\n\n- one\n- two\n\n[A stage]",
      "Goals\nRest\nPlay",
      "> first\n> second",
      "Open: https://vera.example/x?a=1&b=2",
      "the end",
      "-- \nVera Lane\nYou asked for it.\nUnsubscribe: https://vera.example/u\n1 Stage Road\nLondon",
    ].join("\n\n"),
  );
});

test("the plain text of a message has a colon before a link, as the message's language writes it", () => {
  const { text } = renderMessage({
    ...FRAME,
    colonFormat: "{text}\u00a0:",
    blocks: [{ kind: "button", label: "Confirmer", url: "https://vera.example/c" }],
    links: [{ label: "Se désinscrire", url: "https://vera.example/u" }],
  });
  expect(text).toContain("\nConfirmer\u00a0: https://vera.example/c\n");
  expect(text).toEndWith("\nSe désinscrire\u00a0: https://vera.example/u");
});

test("the HTML of a message has typed text escaped, and full URLs for the site's pictures", () => {
  const { html } = renderMessage({
    ...FRAME,
    blocks: [
      { kind: "text", text: "<script>alert(1)</script>\nnext" },
      { kind: "rich", html: '<p style="text-align:center"><img src="/uploads/a.webp" alt=""></p>' },
    ],
  });
  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;<br/>next");
  expect(html).toContain("margin:0 0 16px;text-align:center");
  expect(html).toContain('src="https://vera.example/uploads/a.webp"');
  expect(html).toContain("<title>Hello &lt;Ann&gt; &amp; co</title>");
});

test("a message has its title's text direction, or the site language's direction if the title has no letters", () => {
  const side = (title: string, language: string) =>
    /<html lang="[\w-]*" dir="(\w+)"/.exec(renderMessage({ ...FRAME, title, language }).html)?.[1];
  expect(side("Hello", "ar")).toBe("ltr");
  expect(side("שלום", "en")).toBe("rtl");
  expect(side("123", "ar")).toBe("rtl");
  expect(side("123", "en")).toBe("ltr");
});

test("each line of a message has its own text direction", () => {
  const { html } = renderMessage({
    ...FRAME,
    language: "ar",
    links: [{ label: "Unsubscribe", url: "https://vera.example/u" }],
    address: "1 Stage Road",
  });
  for (const words of ["You asked for it.", "<a [^>]*>Unsubscribe", "1 Stage Road"])
    expect(html).toMatch(new RegExp(`<p class="quiet"[^>]* dir="auto">${words}`));
});
