/** The default texts of the coaching page's hero (specification, section 3.9). */

export const COACHING_DEFAULTS = {
  mainTitle: "COACHING",
  subtitle: "& MENTORING",
  tagline: "Transform your potential into success",
} as const;

type CoachingTexts = Readonly<Record<keyof typeof COACHING_DEFAULTS, string>>;

/** Returns the titles of the heroes that have this photo as their background. */
export function findTitlesOverPhoto(url: string, { hero, coachingHero }: TitledHeroes): string[] {
  const { mainTitle, subtitle } = applyCoachingDefaults(
    coachingHero ?? { mainTitle: "", subtitle: "", tagline: "" },
  );
  return [
    ...(hero?.backgroundImage === url ? [hero.mainTitle] : []),
    ...(coachingHero?.backgroundImage === url ? [`${mainTitle} ${subtitle}`] : []),
  ];
}

interface TitledHeroes {
  readonly hero?: PicturedHero<"mainTitle"> | undefined;
  readonly coachingHero?: PicturedHero<keyof CoachingTexts> | undefined;
}

type PicturedHero<Texts extends string> = Readonly<Record<Texts, string>> & {
  readonly backgroundImage: string | null;
};

/** Returns the texts of the coaching page's hero, with `defaults` for empty texts; by default the English ones. */
export const applyCoachingDefaults = (
  hero: CoachingTexts,
  defaults: CoachingTexts = COACHING_DEFAULTS,
): CoachingTexts => ({
  mainTitle: hero.mainTitle.trim() || defaults.mainTitle,
  subtitle: hero.subtitle.trim() || defaults.subtitle,
  tagline: hero.tagline.trim() || defaults.tagline,
});
