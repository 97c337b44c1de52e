/** A cache of rendered pages. A page is rendered on the first visit, and again as soon as content changes. */
import {
  encodeText,
  BROTLI_LEVEL_CACHED,
  type Representation,
} from "../http/conditionalRequests.ts";

export interface RenderedPage {
  readonly status: number;
  readonly html: string;
  readonly policy: string;
}

interface CacheEntry {
  generation: number;
  page: Promise<Representation>;
  /** The rendered page; undefined while it is being rendered. */
  renderedPage?: Representation;
}

interface PageCacheOptions {
  readonly render: (key: string) => Promise<RenderedPage>;
  /** Returns whether a page still exists; if it doesn't, it is removed from the cache. Default: true. */
  readonly hasPage?: (key: string) => boolean;
  /** Called with each page once it is rendered, unless the content has changed in the meantime. */
  readonly onReady?: (key: string, page: Representation) => void;
  /** Called when a page is outdated, before the changed content is published. */
  readonly onOutdated?: (key: string) => void;
  readonly onError: (key: string, error: unknown) => void;
}

export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #entries = new Map<string, CacheEntry>();
  #generation = 0;
  #isRenderScheduled = false;

  constructor(options: PageCacheOptions) {
    this.#options = options;
  }

  /** Returns the current page. If rendering fails, returns the last good page, and the next request renders again. */
  async get(key: string): Promise<Representation> {
    const entry = this.#entries.get(key);
    return entry?.generation === this.#generation ? entry.page : this.#render(key);
  }

  /** Call this when content changes. Outdated pages are rendered again without waiting for a visit. */
  invalidate(): void {
    this.#generation += 1;
    for (const key of this.#entries.keys()) this.#options.onOutdated?.(key);
    if (this.#isRenderScheduled) return;
    this.#isRenderScheduled = true;
    setTimeout(() => this.#renderOutdated(), 0);
  }

  #render(key: string): Promise<Representation> {
    const lastEntry = this.#entries.get(key);
    const rendering = this.#options.render(key).then((rendered) => {
      const freshPage = toRepresentation(rendered);
      const previousPage = lastEntry?.renderedPage;
      // If the page is unchanged, the previous one stays, since it has been compressed already.
      const isSame =
        previousPage &&
        previousPage.etag === freshPage.etag &&
        previousPage.status === freshPage.status;
      return (entry.renderedPage = isSame ? previousPage : freshPage);
    });
    const page = rendering.catch((error: unknown) => {
      this.#options.onError(key, error);
      // The last good page is shown again. Its generation is older, so the next request tries to render the page.
      const isNewest = this.#entries.get(key) === entry;
      if (!lastEntry) {
        if (isNewest) this.#entries.delete(key);
        throw error;
      }
      if (isNewest) this.#entries.set(key, lastEntry);
      return lastEntry.page;
    });
    const entry: CacheEntry = { generation: this.#generation, page };
    this.#entries.set(key, entry);
    this.#notifyWhenReady(key, entry, rendering);
    return page;
  }

  #notifyWhenReady(key: string, entry: CacheEntry, rendering: Promise<Representation>): void {
    const isCurrent = () =>
      this.#entries.get(key) === entry && entry.generation === this.#generation;
    rendering.then(
      (finished) => isCurrent() && this.#options.onReady?.(key, finished),
      () => undefined,
    );
  }

  async #renderOutdated(): Promise<void> {
    this.#isRenderScheduled = false;
    const { hasPage = () => true } = this.#options;
    for (const key of this.#entries.keys()) {
      if (hasPage(key)) await this.get(key).catch(() => undefined);
      else this.#entries.delete(key);
      // Lets waiting requests run before the next page is rendered.
      await Bun.sleep(0);
    }
  }
}

function toRepresentation({ status, html, policy }: RenderedPage): Representation {
  const bytes = new TextEncoder().encode(html);
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "content-security-policy": policy,
    },
    etag: `"${Bun.hash(bytes).toString(36)}-${Bun.hash(policy).toString(36)}"`,
    ...encodeText(bytes, BROTLI_LEVEL_CACHED),
  };
}
