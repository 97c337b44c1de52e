/** The names that follow from an entity's key, which the browser needs without its declaration. */

/** Names the data file and the routes: `pressFeatures` lies in press-features.json, under `/api/press-features`. */
export function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
