/** The names derived from an entity's key, which browsers need without its declaration. */

/**
 * The name of the data file and the routes: `pressFeatures` is in press-features.json, and at `/api/press-features`.
 */
export function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
