/** Bounds on what JSON may look like before the server works with it (security.md). */
import { malformed } from "./refusal.ts";

const MAX_KEYS = 2000;
const FORBIDDEN_KEYS = new Set(["__proto__", "constructor", "prototype"]);

/** How deeply arrays and objects are nested in a JSON text, counted without parsing it. */
export function nestingDepth(json: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}

/** Raises a 400 for more than 2,000 keys, or one that reaches into JavaScript's prototypes. */
export function checkJsonShape(root: unknown): void {
  let keys = 0;
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== "object" || value === null) continue;
    const names = Array.isArray(value) ? [] : Object.keys(value);
    keys += names.length;
    if (keys > MAX_KEYS) throw malformed("The data has too many fields.");
    if (names.some((name) => FORBIDDEN_KEYS.has(name)))
      throw malformed("The data has a field with a name that can't be used.");
    for (const inner of Object.values(value)) open.push(inner);
  }
}
