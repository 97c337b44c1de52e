/** Rendered pages in memory: rendered on the first visit, and again as soon as content changes, before the next. */
import { encodedText, MADE_ONCE, type Representation } from "../http/conditional.ts";

/** One page: its status, HTML and content security policy. */
export interface PageAsRendered {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
  /** Whether rendering it now would give the same page. Default: unknown. */
  readonly isStill?: () => boolean;
}

/** Pages by key, always of the current content. */
interface PageCache {
  /** The page of the current content; when rendering fails, the last good one, until the next try. */
  get(key: string): Promise<Representation>;
  /** Content changed: pages that show it are rendered again, ahead of the next visitor. */
  invalidate(): void;
}

interface Entry {
  generation: number;
  page: Promise<Representation>;
  /** Whether the content it was rendered from is unchanged. */
  isStill: () => boolean;
}

const nobodyKnows = () => false;

interface PageCacheOptions {
  readonly render: (key: string) => Promise<PageAsRendered>;
  /** Whether the page still exists; otherwise it is dropped. Default: always. */
  readonly isKept?: (key: string) => boolean;
  /** Called with a page of the current content. */
  readonly onReady?: (key: string, page: Representation) => void;
  /** Called when a page is outdated, before anybody learns of the change. */
  readonly onChanged?: (key: string) => void;
  readonly onError: (key: string, error: unknown) => void;
}

/** Creates a page cache. */
export function createPageCache(options: PageCacheOptions): PageCache {
  const { render, isKept = () => true, onReady, onChanged, onError } = options;
  const entries = new Map<string, Entry>();
  let generation = 0;
  let warming = false;

  function renderNow(key: string): Promise<Representation> {
    const last = entries.get(key);
    const made = render(key).then((rendered) => {
      const finished = finish(rendered);
      entry.isStill = rendered.isStill ?? nobodyKnows;
      return finished;
    });
    const page = made.catch((error: unknown) => {
      onError(key, error);
      // Left at an older generation, so that the next request tries again.
      const isNewest = entries.get(key) === entry;
      if (!last) {
        if (isNewest) entries.delete(key);
        throw error;
      }
      if (isNewest) entries.set(key, last);
      return last.page;
    });
    const entry: Entry = { generation, page, isStill: nobodyKnows };
    entries.set(key, entry);
    tellOf(key, entry, made);
    return page;
  }

  function tellOf(key: string, entry: Entry, made: Promise<Representation>): void {
    made.then(
      (finished) => isCurrent(key, entry) && onReady?.(key, finished),
      () => undefined,
    );
  }

  const isCurrent = (key: string, entry: Entry) =>
    entries.get(key) === entry && entry.generation === generation;

  async function warm(): Promise<void> {
    warming = false;
    for (const key of entries.keys()) {
      if (isKept(key)) await get(key).catch(() => undefined);
      else entries.delete(key);
      // Lets waiting requests run before the next page is rendered.
      await Bun.sleep(0);
    }
  }

  async function get(key: string): Promise<Representation> {
    const entry = entries.get(key);
    if (entry?.generation === generation) return entry.page;
    if (!entry?.isStill()) return renderNow(key);
    entry.generation = generation;
    tellOf(key, entry, entry.page);
    return entry.page;
  }

  return {
    get,
    invalidate() {
      generation += 1;
      for (const key of entries.keys()) onChanged?.(key);
      if (warming) return;
      warming = true;
      setTimeout(warm, 0);
    },
  };
}

function finish({ status, html, policy }: PageAsRendered): Representation {
  const bytes = new TextEncoder().encode(html);
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": policy,
    },
    etag: `"${Bun.hash(bytes).toString(36)}-${Bun.hash(policy).toString(36)}"`,
    ...encodedText(bytes, MADE_ONCE),
  };
}
