/** The words of the coaching page's first screen when the owner has written none (specification, section 3.9). */

export const COACHING_WORDS = {
  mainTitle: "COACHING",
  subtitle: "& MENTORING",
  tagline: "Transform your potential into success",
} as const;

/** The titles that stand on a photo as that of a first screen: none where it is no such photo. */
export function titlesOn(url: string, { hero, coachingHero }: TitledHeroes): string[] {
  const { mainTitle, subtitle } = coachingWordsOf(
    coachingHero ?? { mainTitle: "", subtitle: "", tagline: "" },
  );
  return [
    ...(hero?.backgroundImage === url ? [hero.mainTitle] : []),
    ...(coachingHero?.backgroundImage === url ? [`${mainTitle} ${subtitle}`] : []),
  ];
}

interface TitledHeroes {
  readonly hero?: Pictured<"mainTitle"> | undefined;
  readonly coachingHero?: Pictured<keyof typeof COACHING_WORDS> | undefined;
}

type Pictured<Words extends string> = Readonly<Record<Words, string>> & {
  readonly backgroundImage: string | null;
};

/**
 * The hero's texts, with the default for each empty one, for visitors and the dashboard's preview
 * alike; the default defaults are English.
 */
export function coachingWordsOf(
  hero: Readonly<Record<keyof typeof COACHING_WORDS, string>>,
  defaults: Readonly<Record<keyof typeof COACHING_WORDS, string>> = COACHING_WORDS,
): Record<keyof typeof COACHING_WORDS, string> {
  const { mainTitle, subtitle, tagline } = defaults;
  return {
    mainTitle: hero.mainTitle.trim() || mainTitle,
    subtitle: hero.subtitle.trim() || subtitle,
    tagline: hero.tagline.trim() || tagline,
  };
}
