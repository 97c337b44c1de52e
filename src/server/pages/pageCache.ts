/** Finished pages in memory: rendered when content changes, not when a visitor comes. */
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

// Calls back when the day changes: the policy's date and the footer's year (design.md section 7).

/** Calls `then` at each local midnight; the timer keeps no process alive. */
export function everyMidnight(then: () => void, now: () => Date = () => new Date()): void {
  const next = new Date(now());
  next.setHours(24, 0, 1, 0);
  const timer = setTimeout(() => {
    then();
    everyMidnight(then, now);
  }, next.getTime() - now().getTime());
  timer.unref();
}

/** A page as bytes, ready to be sent. */
export interface FinishedPage {
  readonly status: number;
  readonly etag: string;
  readonly policy: string;
  readonly identity: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer>;
}

/** One page: its status, HTML and content security policy. */
export interface PageAsRendered {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

/** Renders the page of a key. */
type Render = (key: string) => Promise<PageAsRendered>;

/** Pages by key, always those of the newest content. */
interface PageCache {
  /** The page of the content as it is now; when rendering fails, the last one that worked. */
  get(key: string): Promise<FinishedPage>;
  /** Content changed: every page is rendered anew, ahead of the next visitor. */
  invalidate(): void;
}

interface Entry {
  generation: number;
  page: Promise<FinishedPage>;
}

/** Makes a cache of pages; `onError` hears of failed renderings. */
export function createPageCache(
  render: Render,
  onError: (key: string, error: unknown) => void,
): PageCache {
  const entries = new Map<string, Entry>();
  let generation = 0;
  let warming = false;

  function renderNow(key: string): Promise<FinishedPage> {
    const last = entries.get(key)?.page;
    const page = render(key).then(finish, (error: unknown) => {
      onError(key, error);
      if (!last) throw error;
      return last;
    });
    entries.set(key, { generation, page });
    page.catch(() => entries.get(key)?.page === page && entries.delete(key));
    return page;
  }

  async function warm(): Promise<void> {
    warming = false;
    for (const key of entries.keys()) await get(key).catch(() => undefined);
  }

  async function get(key: string): Promise<FinishedPage> {
    const entry = entries.get(key);
    return entry?.generation === generation ? entry.page : renderNow(key);
  }

  return {
    get,
    invalidate() {
      generation += 1;
      if (warming) return;
      warming = true;
      setTimeout(warm, 0);
    },
  };
}

/** Each encoding is made when the first client asks for it, and kept. */
function finish({ status, html, policy }: Awaited<ReturnType<Render>>): FinishedPage {
  const identity = new TextEncoder().encode(html);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
  const br = once(() => new Uint8Array(brotliCompressSync(identity, quality)));
  const gzip = once(() => new Uint8Array(gzipSync(identity)));
  return {
    status,
    policy,
    etag: `"${Bun.hash(identity).toString(36)}-${Bun.hash(policy).toString(36)}"`,
    identity,
    get gzip() {
      return gzip();
    },
    get br() {
      return br();
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
