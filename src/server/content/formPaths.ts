/** Checks that a form's path is valid, and that no other form or page has it. */
import type { Collection, StoredItem } from "../../schema/entities/entity.ts";
import { entities, type Item } from "../../schema/index.ts";
import { invalidInput } from "../shared/errors.ts";
import type { Values } from "./inputChecks.ts";

/** Paths of the site's pages, including those that an owner can turn on. */
const RESERVED_PATHS = new Set([
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

/** Lowercase ASCII only: with capitals or accents, a path could be written in several ways. */
const PATH_PATTERN = /^[a-z0-9][a-z0-9-]{0,59}$/;
const INVALID_PATH_MESSAGE =
  "Enter a page URL such as book-a-show: lowercase letters, digits and hyphens.";
const RESERVED_PATH_MESSAGE = "This page URL is reserved. Choose another one.";

/** Returns a restored form, without its path if another form has that path now. */
export function removeUsedPath<I extends Values>(
  entity: Collection,
  others: readonly StoredItem[],
  item: I,
): I {
  const { path } = item;
  const isInUse = entity === entities.forms && path && others.some((each) => each["path"] === path);
  return isInUse ? { ...item, path: null } : item;
}

/** Throws a 422 for an invalid or used path. Call this inside the update that stores `item`. */
export function assertFreePath(
  entity: Collection,
  items: readonly StoredItem[],
  item: Values,
  before?: Values,
): void {
  const { path, id } = item as Item<"forms">;
  if (entity !== entities.forms || !path || path === before?.["path"]) return;
  if (!PATH_PATTERN.test(path))
    throw invalidInput(INVALID_PATH_MESSAGE, { path: INVALID_PATH_MESSAGE });
  if (RESERVED_PATHS.has(path))
    throw invalidInput(RESERVED_PATH_MESSAGE, { path: RESERVED_PATH_MESSAGE });
  const other = items.find((each) => each["path"] === path && each.id !== id);
  if (!other) return;
  const message = `The form "${String(other["title"])}" already uses this page URL.`;
  throw invalidInput(message, { path: message });
}
