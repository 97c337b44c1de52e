/** Finished pages in memory, rendered when content changes rather than when a visitor comes. */
import { encodedText, MADE_ONCE, type Representation } from "../http/conditional.ts";

/** One page: its status, HTML and content security policy. */
export interface PageAsRendered {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
  /** Whether it would be rendered the same now. Default: nobody knows. */
  readonly isStill?: () => boolean;
}

/** Pages by key, always those of the newest content. */
interface PageCache {
  /** The page of the content as it is now; when rendering fails, the last one that worked, for this time. */
  get(key: string): Promise<Representation>;
  /** Content changed: every page that shows it is rendered again, ahead of the next visitor. */
  invalidate(): void;
}

interface Entry {
  generation: number;
  page: Promise<Representation>;
  /** Whether what it was made of is what it was. */
  isStill: () => boolean;
}

const nobodyKnows = () => false;

interface PageCacheOptions {
  readonly render: (key: string) => Promise<PageAsRendered>;
  /** Whether there is still such a page; one that is no more is forgotten. Default: always. */
  readonly isKept?: (key: string) => boolean;
  /** Hears of a page that is of the content as it is now. */
  readonly onReady?: (key: string, page: Representation) => void;
  /** Hears of a page that is no longer, before anybody learns of the change. */
  readonly onChanged?: (key: string) => void;
  readonly onError: (key: string, error: unknown) => void;
}

/** Makes a cache of pages. */
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
      // Of an earlier state, so that whoever asks next has it tried again.
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
      // Whoever came meanwhile is answered before the next one is rendered.
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
