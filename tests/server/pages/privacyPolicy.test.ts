/** The privacy policy matches this site's settings. */
import { expect, test } from "bun:test";
import { createPageRenderer } from "../../../src/server/pages/pageRenderer.ts";
import { loadWebBuild } from "../../../src/server/pages/webBuild.ts";
import { isRemoteDatabase, parseDatabaseUrl } from "../../../src/server/shared/databaseUrl.ts";
import { setUpSiteForAll, startSite } from "../../support/testSite.ts";

const site = setUpSiteForAll(startSite);

const extractText = (html: string) =>
  html
    .replace(/<!-- -->/g, "")
    .replaceAll("&#x27;", "'")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");
const readPolicy = async (url: string) =>
  extractText(await (await fetch(`${url}/privacy-policy`)).text());

const ON_SERVER = "What you send is stored on this website's own server;";
const ELSEWHERE = "What you send is stored in a database of this website on another server;";
const BACKUPS = "Encrypted backups are kept at another location";

test("the policy of a site on one machine names no other machine", async () => {
  const policy = await readPolicy(site.url);
  expect(policy).toContain(ON_SERVER);
  expect(policy).toContain("The company that hosts the server can access it");
  expect(policy).toContain("its owner and people with an account can access stored data");
  for (const other of [ELSEWHERE, BACKUPS, "are fetched from"]) expect(policy).not.toContain(other);
});

test("the policy names the hosts that learn a visitor's IP address, and mentions off-site backups", async () => {
  const other = await startSite({
    env: {
      UPLOADS_PUBLIC_URL: "https://pictures.example.net",
      FONT_PROVIDER: "https://fonts.example.org",
      BACKUP_S3: "s3://backups?endpoint=https://s3.example.com&region=eu-1",
      BACKUP_KEY: "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p",
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    },
  });
  try {
    const policy = await readPolicy(other.url);
    expect(policy).toContain("Images on these pages are loaded from pictures.example.net,");
    expect(policy).toContain("The fonts of these pages are loaded from fonts.example.org,");
    expect(policy).toContain(BACKUPS);
  } finally {
    await other.stop();
  }
});

test("the policy mentions a database on another machine, but no local database", async () => {
  const rendered = async (more: object) => {
    const { store } = site;
    const build = await loadWebBuild();
    const options = { siteUrl: "https://www.example.com", fontProvider: "/fonts" };
    const render = createPageRenderer({
      store,
      build,
      ...options,
      cleanHtml: (html) => html,
      isDataRemote: false,
      areBackupsRemote: false,
      retentionDays: 30,
      hasOwnerOrContent: () => true,
      now: Date.now,
      ...more,
    });
    return extractText((await render("/privacy-policy")).html);
  };
  const policy = await rendered({ isDataRemote: true, pictureOrigin: "https://www.example.com" });
  expect(policy).toContain(ELSEWHERE);
  expect(policy).toContain("The companies that host these servers can access them");
  for (const none of [ON_SERVER, "are fetched from"]) expect(policy).not.toContain(none);

  const hosts = {
    "db.example.com": true,
    "10.0.0.7": true,
    localhost: false,
    "127.0.0.1:5433": false,
    "[::1]": false,
  };
  for (const [host, is] of Object.entries(hosts))
    expect([host, isRemoteDatabase(parseDatabaseUrl(`postgres://ada@${host}/site`))]).toEqual([
      host,
      is,
    ]);
  const socket = "postgres://ada@localhost/site?host=/run/postgresql";
  expect(isRemoteDatabase(parseDatabaseUrl(socket))).toBe(false);
});
