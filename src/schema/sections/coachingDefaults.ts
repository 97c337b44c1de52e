/** Default texts of the coaching page's hero (specification, section 3.9). */

export const COACHING_DEFAULTS = {
  mainTitle: "COACHING",
  subtitle: "& MENTORING",
  tagline: "Transform your potential into success",
} as const;

/** The titles on top of a photo that is a hero's background; empty for other pictures. */
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
  readonly coachingHero?: PicturedHero<keyof typeof COACHING_DEFAULTS> | undefined;
}

type PicturedHero<Texts extends string> = Readonly<Record<Texts, string>> & {
  readonly backgroundImage: string | null;
};

/**
 * The hero's texts with defaults for empty ones, for visitors and the dashboard's preview alike; `defaults` is
 * English unless given.
 */
export function applyCoachingDefaults(
  hero: Readonly<Record<keyof typeof COACHING_DEFAULTS, string>>,
  defaults: Readonly<Record<keyof typeof COACHING_DEFAULTS, string>> = COACHING_DEFAULTS,
): Record<keyof typeof COACHING_DEFAULTS, string> {
  const { mainTitle, subtitle, tagline } = defaults;
  return {
    mainTitle: hero.mainTitle.trim() || mainTitle,
    subtitle: hero.subtitle.trim() || subtitle,
    tagline: hero.tagline.trim() || tagline,
  };
}
