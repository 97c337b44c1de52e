/** The kind of a video's address (specification, section 2.24): an embedded frame, a link, or a refusal. */
import { expect, test } from "bun:test";
import { checkNewItem } from "../../src/schema/entities/check.ts";
import { entities } from "../../src/schema/index.ts";
import {
  NOT_A_SINGLE_VIDEO_MESSAGE,
  findVideoUrlProblem,
  parseVideo,
} from "../../src/schema/sections/videoAddress.ts";

const YT = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&rel=0";
const VIMEO = "https://player.vimeo.com/video/76979871?autoplay=1";

/** An address and its frame; null is a link that opens on its own site, undefined a refusal. */
const ADDRESSES: readonly (readonly [string, string | null | undefined])[] = [
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ", YT],
  ["https://youtube.com/watch?v=dQw4w9WgXcQ&list=PL123", YT],
  ["https://youtu.be/dQw4w9WgXcQ", YT],
  ["https://youtu.be/dQw4w9WgXcQ?si=abc&t=90", `${YT}&start=90`],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1m30s", `${YT}&start=90`],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ#t=90s", `${YT}&start=90`],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ#ab90", YT],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=83.4567891", `${YT}&start=83`],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1h2m83.419921s", `${YT}&start=3803`],
  ["https://www.youtube.com/?v=dQw4w9WgXcQ", YT],
  ["https://www.youtube.com/shorts/dQw4w9WgXcQ", YT],
  ["https://www.youtube.com/embed/dQw4w9WgXcQ?start=12", `${YT}&start=12`],
  ["https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ", YT],
  ["HTTPS://WWW.YOUTUBE.COM/watch?v=dQw4w9WgXcQ", YT],
  ["https://youtu.be/dQw4w9WgXcQ&feature=share", YT],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ?feature=share", YT],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQx", undefined],
  // Codes of playlists and live channels, whose words are as long as an id (paulirish/lite-youtube-embed#195).
  ["https://www.youtube.com/embed/videoseries?list=PL123", undefined],
  ["https://www.youtube.com/embed/live_stream?channel=UCuAXFkgsw1L7xaCfnd5JJOw", undefined],
  ["https://vimeo.com/76979871", VIMEO],
  ["https://vimeo.com/76979871/1a2b3c4d5e", `${VIMEO}&h=1a2b3c4d5e`],
  ["https://vimeo.com/76979871?h=1a2b3c4d5e", `${VIMEO}&h=1a2b3c4d5e`],
  ["https://vimeo.com/76979871#t=30s", `${VIMEO}#t=30s`],
  ["https://vimeo.com/76979871?t=#t=83.419921s", `${VIMEO}#t=83s`],
  ["https://player.vimeo.com/video/76979871", VIMEO],
  ["https://vimeo.com/channels/staffpicks/76979871", VIMEO],
  ["https://vimeo.com/groups/shortfilms/videos/76979871", VIMEO],
  ["https://www.youtube.com/watch/dQw4w9WgXcQ", YT],
  ["https://www.youtube.com/e/dQw4w9WgXcQ", YT],
  ["https://www.youtube.com/watch?time_continue=90&v=dQw4w9WgXcQ", `${YT}&start=90`],
  ["https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=90.5s", `${YT}&start=90`],
  ["https://vimeo.com/showcase/7008490?video=76979871", VIMEO],
  ["https://vimeo.com/76979871#at=30", `${VIMEO}#t=30s`],
  // Channels, playlists, searches.
  ["https://www.youtube.com/@adastar", undefined],
  ["https://www.youtube.com/playlist?list=PL123", undefined],
  ["https://www.youtube.com/watch?v=short", undefined],
  ["https://youtu.be/", undefined],
  ["https://vimeo.com/user12345", undefined],
  ["https://vimeo.com/showcase/1234567", undefined],
  ["https://vimeo.com/showcase/1234567?video=latest", undefined],
  // Similar names of other sites.
  ["https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", null],
  ["https://notyoutube.com/watch?v=dQw4w9WgXcQ", null],
  ["https://xn--youtbe-4ya.com/watch?v=dQw4w9WgXcQ", null],
  ["https://vimeo.com.evil.example/76979871", null],
  ["https://www.instagram.com/reel/C0ffee/", null],
];

test.each(ADDRESSES)("the link %s gets the player %s", (address, frame) => {
  expect(parseVideo(address)?.frameUrl).toBe(frame ?? undefined);
  expect(findVideoUrlProblem(address)).toBe(
    frame === undefined ? NOT_A_SINGLE_VIDEO_MESSAGE : undefined,
  );
});

const VIDEO = { title: "Reel", poster: "/uploads/reel.jpg" };
const findRefusal = (url: string) => {
  const checked = checkNewItem(entities.videos, { ...VIDEO, url });
  return checked.ok ? undefined : checked.fields["url"];
};

test("an invalid video link is refused, and a link to a channel or list gets its own message", () => {
  expect(findRefusal("https://youtu.be/dQw4w9WgXcQ")).toBe(undefined);
  expect(findRefusal("youtu.be/dQw4w9WgXcQ")).toBe(undefined);
  for (const url of [
    "https://www.youtube.com/@adastar",
    "https://www.youtube.com/playlist?list=PL123",
    "https://www.youtube.com/results?search_query=reel",
    "https://www.youtube.com/shorts/cut-off",
  ])
    expect([url, findRefusal(url)]).toEqual([
      url,
      "This link doesn't lead to a single video. Open the video and paste its link.",
    ]);
  for (const url of ["javascript:alert(1)", "my reel", "data:text/html,x"])
    expect(findRefusal(url)).toStartWith("Enter a full URL that starts with https://");
  expect(findRefusal("https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ")).toStartWith(
    "Enter one full URL from your browser",
  );
});

test("a video player's URL has only harmless characters, whatever link was typed", () => {
  for (const odd of [
    'https://youtu.be/dQw4w9WgXcQ"onload=x',
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=1&start=javascript:x",
    "https://vimeo.com/76979871/1a2b3c4d5e%22%3E",
    "https://vimeo.com/76979871?h=%22%3E%3Cscript%3E",
  ])
    expect(parseVideo(odd)?.frameUrl ?? "").toMatch(/^[\w./:?&=#-]*$/);
});

test.each([
  ["https://vimeo.com/manage/videos/123456789", "https://vimeo.com/123456789"],
  [
    "https://vimeo.com/manage/videos/123456789/abcdef1234",
    "https://vimeo.com/123456789/abcdef1234",
  ],
  ["https://vimeo.com/manage/123456789/general", "https://vimeo.com/123456789"],
  ["https://vimeo.com/123456789/settings", "https://vimeo.com/123456789"],
  ["https://vimeo.com/showcase/123/video/123456789", "https://vimeo.com/123456789"],
  ["https://vimeo.com/album/123/video/123456789", "https://vimeo.com/123456789"],
  [
    "https://vimeo.com/annlee/review/123456789/abcdef1234",
    "https://vimeo.com/123456789/abcdef1234",
  ],
  [
    "https://studio.youtube.com/video/dQw4w9WgXcQ/edit",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  ],
  [
    "https://studio.youtube.com/video/dQw4w9WgXcQ/analytics/tab-overview",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
  ],
])("the link %s, copied from the owner's account, plays the public video", (address, page) => {
  expect(parseVideo(address)?.pageUrl).toBe(page);
  expect(findVideoUrlProblem(address)).toBeUndefined();
});

test.each(["https://vimeo.com/manage/videos", "https://studio.youtube.com/channel/UC123/videos"])(
  "the link %s, to a list in the owner's account, is refused with a message",
  (address) => expect(findVideoUrlProblem(address)).toBe(NOT_A_SINGLE_VIDEO_MESSAGE),
);
