/** The welcome reads a typed name or a pasted link (specification, section 2.7). */
import { expect, test } from "bun:test";
import { LINK_CHANNELS, createLink } from "../../../../src/web/admin/welcome/channelLinks.ts";

const instagram = LINK_CHANNELS.find(({ key }) => key === "instagram")!;

test("a link with a lone % is accepted unchanged", () => {
  expect(createLink(instagram, "instagram.com/nora%")).toEqual({
    ok: true,
    url: "https://instagram.com/nora%",
    displayText: "@nora%",
  });
});

test("a percent-encoded name in a link is shown decoded", () => {
  expect(createLink(instagram, "https://www.instagram.com/n%C3%B3ra")).toMatchObject({
    displayText: "@nóra",
  });
});

/** Links in the forms in which apps share them. */
test.each([
  ["instagram", "https://www.instagram.com/annlee?igsh=MWx1&utm_source=qr", "@annlee"],
  ["instagram", "https://m.instagram.com/annlee/", "@annlee"],
  ["instagram", "https://instagr.am/annlee", "Instagram"],
  ["instagram", "https://www.instagram.com/stories/annlee/312/", "Instagram"],
  ["instagram", "https://www.instagram.com/reel/Db8u4/?igsi=x", "Instagram"],
  ["youtube", "https://youtube.com/@annlee?si=abc", "@annlee"],
  ["youtube", "https://www.youtube.com/@annlee/videos", "YouTube"],
  ["youtube", "https://youtu.be/dQw4w9WgXcQ?si=1", "YouTube"],
  ["youtube", "https://music.youtube.com/channel/UCx", "YouTube"],
  ["tiktok", "https://www.tiktok.com/@annlee?_t=8k&_r=1", "@annlee"],
  ["tiktok", "https://vm.tiktok.com/ZMx1/", "TikTok"],
  ["spotify", "https://open.spotify.com/intl-de/artist/4x?si=1", "Spotify"],
  ["spotify", "https://spotify.link/abc", "Spotify"],
  ["spotify", "https://spotify.app.link/abc", "Spotify"],
  ["whatsapp", "https://wa.me/message/ABC123", "WhatsApp"],
  ["whatsapp", "https://chat.whatsapp.com/AbC1", "WhatsApp"],
])("a %s link is accepted unchanged: %s", (key, url, displayText) => {
  const place = LINK_CHANNELS.find((each) => each.key === key)!;
  expect(createLink(place, url)).toEqual({ ok: true, url, displayText });
});

test.each([
  "https://wa.me/447700900123",
  "wa.me/447700900123?text=Hi",
  "https://wa.me/+447700900123",
  "https://api.whatsapp.com/send?phone=447700900123&text=Hi",
  "https://api.whatsapp.com/send/?phone=%2B447700900123",
  "+44 7700 900123",
  "tel:+44-7700-900123",
])("%j becomes a WhatsApp link", (typed) => {
  const whatsapp = LINK_CHANNELS.find(({ key }) => key === "whatsapp")!;
  const url = "https://wa.me/447700900123";
  expect(createLink(whatsapp, typed)).toEqual({ ok: true, url, displayText: "WhatsApp" });
});

test.each([
  ["whatsapp", "https://wa.me.example/447700900123"],
  ["whatsapp", "https://wa.me/"],
  ["instagram", "https://notinstagr.am/annlee"],
  ["spotify", "https://spotify.link.example/abc"],
])("a %s link that leads to no account of the channel is refused: %j", (key, typed) => {
  const place = LINK_CHANNELS.find((each) => each.key === key)!;
  expect(createLink(place, typed).ok).toBe(false);
});
