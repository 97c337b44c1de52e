/** The paths of forms: unique, and no other page's. */
import type { Collection, StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { invalid } from "../shared/errors.ts";
import type { Values } from "./inputChecks.ts";

/** Used by the site itself, or reserved for pages that an owner may add. */
const RESERVED = new Set([
  "admin",
  "api",
  "assets",
  "calls",
  "coaching",
  "coming-soon",
  "confirm-subscription",
  "dates",
  "favicon",
  "fonts",
  "health",
  "letters",
  "links",
  "login",
  "manifest",
  "metrics",
  "not-found",
  "packages",
  "pages",
  "pictures",
  "press",
  "press-kit",
  "privacy-policy",
  "robots",
  "say",
  "sitemap",
  "testimonials",
  "times",
  "tour",
  "unsubscribe",
  "uploads",
]);

/** One path segment, in letters that have only one spelling. */
const PATH = /^[a-z0-9][a-z0-9-]{0,59}$/;
const NO_PATH = "Enter a page URL such as book-a-show: lowercase letters, digits and hyphens.";
const IS_RESERVED = "This page URL is reserved. Choose another one.";

/**
 * An item that is restored beside others; without its path when one of them has it by now, so that the public link
 * leads to the same form as before.
 */
export function dropUsedPath<I extends Values>(
  entity: Collection,
  others: readonly StoredItem[],
  item: I,
): I {
  const { path } = item;
  const isInUse = entity === entities.forms && path && others.some((each) => each["path"] === path);
  return isInUse ? { ...item, path: null } : item;
}

/** Call it with what an update is about to store. Throws a 422 for an invalid path, or one that is taken. */
export function requireFreePath(
  entity: Collection,
  items: readonly StoredItem[],
  item: Values,
  before?: Values,
): void {
  const { path, id } = item as Item<"forms">;
  if (entity !== entities.forms || !path || path === before?.["path"]) return;
  if (!PATH.test(path)) throw invalid(NO_PATH, { path: NO_PATH });
  if (RESERVED.has(path)) throw invalid(IS_RESERVED, { path: IS_RESERVED });
  const other = items.find((each) => each["path"] === path && each.id !== id);
  if (!other) return;
  const message = `The form "${String(other["title"])}" already uses this page URL.`;
  throw invalid(message, { path: message });
}
