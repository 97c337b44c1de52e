/** Finds what the owner edits and no tab shows yet: a section that was only declared so far. */

/** What one more tab edits: an entity, and the settings that belong to it. */
export interface WithoutTab {
  readonly key: string;
  readonly label: string;
  readonly edits: readonly string[];
}

/** Groups `keys` that are not `taken`; `…Settings` goes with the entity it begins like. */
export function entitiesWithoutTab(
  keys: readonly string[],
  taken: readonly string[],
): WithoutTab[] {
  const left = keys.filter((key) => !taken.includes(key));
  const leading = left.filter((key) => !left.some((other) => areSettingsOf(key, other)));
  return leading.map((key) => ({
    key,
    label: titleOf(key),
    edits: [key, ...left.filter((other) => areSettingsOf(other, key))],
  }));
}

/** `testimonialSettings` belong to `testimonials`. */
function areSettingsOf(key: string, other: string): boolean {
  return key === `${other.replace(/s$/, "")}Settings` && key !== other;
}

/** "pressFeatures" -> "Press features". */
function titleOf(key: string): string {
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
