/** A site in a process of its own, as the bench calls it. */
import { keepForgetting } from "../src/server/people/forgetVisitors.ts";
import { enquiry, enquirySite } from "../tests/enquiries/enquirySite.ts";

interface Ready {
  url: string;
  cookie: string;
}

/** Starts a site over a data folder and waits for its first answer. */
export async function startBenchSite(directory: string) {
  const started = performance.now();
  const child = Bun.spawn([process.execPath, import.meta.path, directory], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { url, cookie } = await firstLine(child.stdout);
  const list = async (path: string) => {
    const answer = await fetch(new URL(path, url), { headers: { cookie } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const post = async (path: string, body: unknown) => {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(new URL(path, url), init);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`);
  };
  await list("/api/form-submission-counts");
  const startMs = performance.now() - started;

  return {
    startMs,
    rssAtStart: await residentMegabytes(child.pid),
    list,
    submit: () => post("/api/form-submissions", enquiry()),
    rss: () => residentMegabytes(child.pid),
    async stop() {
      child.kill();
      await child.exited;
    },
  };
}

/** The first line that the child prints, as JSON. */
async function firstLine(output: ReadableStream<Uint8Array>): Promise<Ready> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const piece of output) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes("\n")) break;
  }
  return JSON.parse(text) as Ready;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

if (import.meta.main) {
  const site = await enquirySite({ directory: process.argv[2]! });
  console.log(JSON.stringify({ url: site.url.href, cookie: site.cookie }));
  keepForgetting(site.store, 30, console.error);
}
