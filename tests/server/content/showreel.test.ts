/** The showreel in calls and pages (specification, section 2.24). */
import { beforeEach, expect, test } from "bun:test";
import { getStyleElement } from "../../support/extraStyles.ts";
import { createPicture } from "../../support/pictures.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";
import { uploadPicture } from "../../support/uploadPicture.ts";

const site = setUpSiteForAll(() => startSite({ hasAddress: true }));

const YOUTUBE = "https://youtu.be/dQw4w9WgXcQ?t=90";
const VIMEO = "https://vimeo.com/76979871/1a2b3c4d5e";
const ELSEWHERE = "https://harbourtv.example/the-velvet-hour";

const fetchPage = async (path = "/") => (await site.visitor().get(path)).text;
const readFrameSources = async (path = "/") => {
  const policy = (await fetch(site.url + path)).headers.get("content-security-policy") ?? "";
  return /frame-src ([^;]*)/.exec(policy)?.[1];
};

let poster: string | undefined;
const addVideo = async (url: string, more: object = {}) => {
  poster ??= (await uploadPicture(site, "a.png", await createPicture("png", 1600, 900))).url;
  return site.asOwner("POST", "/api/videos", { title: "Reel 2026", url, poster, ...more });
};

beforeEach(async () => {
  for (const { id } of await site.asOwner("GET", "/api/videos"))
    await site.asOwner("DELETE", `/api/videos/${id}`);
  await site.asOwner("POST", "/api/extras", { on: ["showreel"] });
});

test("without a video the home page is the same as without the showreel", async () => {
  const empty = await fetchPage();
  await site.asOwner("POST", "/api/extras", { on: [] });
  expect(await fetchPage()).toBe(empty);
  await addVideo(YOUTUBE);
  expect(await fetchPage()).toBe(empty);
  expect((await site.visitor().get("/api/videos")).body).toEqual([]);
  expect((await site.visitor().get("/api/pictures")).body).toEqual({});
  expect(await site.asOwner("GET", "/api/videos")).toHaveLength(1);
});

test("a video's poster image links to the video and has the URL of its embedded player", async () => {
  await addVideo(YOUTUBE, { length: "2:10", captioned: true });
  const html = await fetchPage();
  expect(html).toContain(`${getStyleElement("showreel")}<section id="showreel"`);
  expect(html).toContain(
    '<a href="https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=90s" data-embed="https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?autoplay=1&amp;rel=0&amp;start=90" data-title="Reel 2026">',
  );
  expect(html.replaceAll(/<!-- -->|<\/?span[^>]*>/g, "")).toContain("Play Reel 2026, 2:10</a>");
  expect(html).toContain("2:10 · Captions");
  expect(html).toContain(
    "Plays from YouTube. When you press Play, YouTube can see that you visited.",
  );
  expect(html).toContain('<button formAction="/#showreel">Showreel</button>');
  expect(html).toContain('<h2 id="showreel-title"');
});

test("a page's Content-Security-Policy allows only the hosts of the videos on that page", async () => {
  expect(await readFrameSources()).toBeUndefined();
  await addVideo(ELSEWHERE);
  expect(await readFrameSources()).toBeUndefined();
  expect(await fetchPage()).toContain(`<a href="${ELSEWHERE}"><img`);
  await addVideo(VIMEO);
  expect(await readFrameSources()).toBe("https://player.vimeo.com");
  await addVideo(YOUTUBE);
  expect(await readFrameSources()).toBe(
    "https://www.youtube-nocookie.com https://player.vimeo.com",
  );
  expect(await readFrameSources("/coaching")).toBeUndefined();
});

test("markup in the owner's texts can't embed a video", async () => {
  await addVideo(ELSEWHERE, { title: 'x" data-embed="https://player.vimeo.com/video/1' });
  await site.asOwner("POST", "/api/about", {
    content: '<p data-embed="https://player.vimeo.com/video/1">Me</p>',
  });
  expect(await readFrameSources()).toBeUndefined();
});

test("the privacy policy names the hosts of videos once a video can play on the page", async () => {
  await addVideo(ELSEWHERE);
  expect(await fetchPage("/privacy-policy")).not.toContain("Videos on these pages");
  await addVideo(VIMEO);
  await addVideo(YOUTUBE);
  expect(await fetchPage("/privacy-policy")).toContain(
    "Videos on these pages are loaded from Vimeo and YouTube only after you start one.",
  );
});

test("structured data has the videos that play on the page, next to the person", async () => {
  const data = async () =>
    JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(await fetchPage())![1]!);
  expect((await data())["@type"]).toBe("Person");
  const { addedAt } = await addVideo(YOUTUBE, { length: "1:02:10" });
  await addVideo(ELSEWHERE);
  const graph = (await data())["@graph"];
  expect(graph.map((each: any) => each["@type"])).toEqual(["Person", "VideoObject"]);
  expect(graph[1]).toEqual({
    "@type": "VideoObject",
    name: "Reel 2026",
    thumbnailUrl: site.url + poster!,
    uploadDate: addedAt,
    embedUrl: "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?rel=0&start=90",
    duration: "PT1H2M10S",
  });
});
