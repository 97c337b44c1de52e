/** What a visitor's browser downloads on / and /coaching, and an owner's on the login page: compressed bytes. */
import { startSite } from "./site.ts";

const site = await startSite({ demo: true });
try {
  for (const path of ["/", "/coaching", "/admin/login"]) {
    const html = await (await fetch(site.url + path)).text();
    const scripts = await weigh(html, /(?:src|href)="([^"]+\.js)"/g);
    const styles = await weigh(html, /href="(\/assets\/[^"]+\.css)"/g);
    const page = await transferred(path);
    console.log(
      `${path.padEnd(14)} JavaScript ${kilobytes(scripts)}, CSS ${kilobytes(styles)}, HTML ${kilobytes(page)} (brotli)`,
    );
  }
} finally {
  await site.stop();
}

async function weigh(html: string, links: RegExp): Promise<number> {
  const urls = new Set([...html.matchAll(links)].map((match) => match[1]!));
  const sizes = await Promise.all([...urls].map(transferred));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function transferred(path: string): Promise<number> {
  const response = await fetch(site.url + path, {
    headers: { "accept-encoding": "br" },
    decompress: false,
  });
  return (await response.bytes()).length;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
