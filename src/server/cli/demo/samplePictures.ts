/** The sample pictures inside the program: file name -> path to read from. */

import type { Cuts, Point } from "../../../schema/pictures.ts";
import about from "./pictures/about.webp" with { type: "file" };
import coachingHero from "./pictures/coaching-hero.webp" with { type: "file" };
import hero from "./pictures/hero.webp" with { type: "file" };
import highlightChair from "./pictures/highlight-chair.webp" with { type: "file" };
import highlightCurtain from "./pictures/highlight-curtain.webp" with { type: "file" };
import highlightDressingRoom from "./pictures/highlight-dressing-room.webp" with { type: "file" };
import highlightFestival from "./pictures/highlight-festival.webp" with { type: "file" };
import highlightLamps from "./pictures/highlight-lamps.webp" with { type: "file" };
import highlightMicrophone from "./pictures/highlight-microphone.webp" with { type: "file" };
import highlightOpeningNight from "./pictures/highlight-opening-night.webp" with { type: "file" };
import highlightWalkHome from "./pictures/highlight-walk-home.webp" with { type: "file" };
import pressFootlight from "./pictures/press-footlight.webp" with { type: "file" };
import pressForm from "./pictures/press-form.webp" with { type: "file" };
import pressHarbour from "./pictures/press-harbour.webp" with { type: "file" };
import pressLate from "./pictures/press-late.webp" with { type: "file" };
import pressLedger from "./pictures/press-ledger.webp" with { type: "file" };
import pressSofa from "./pictures/press-sofa.webp" with { type: "file" };
import transformationBarbell from "./pictures/transformation-barbell.webp" with { type: "file" };
import transformationGym from "./pictures/transformation-gym.webp" with { type: "file" };
import transformationKettlebell from "./pictures/transformation-kettlebell.webp" with { type: "file" };
import transformationPunchbag from "./pictures/transformation-punchbag.webp" with { type: "file" };
import transformationRings from "./pictures/transformation-rings.webp" with { type: "file" };
import transformationRunner from "./pictures/transformation-runner.webp" with { type: "file" };

export const samplePictures: Readonly<Record<string, string>> = {
  "about.webp": about,
  "coaching-hero.webp": coachingHero,
  "hero.webp": hero,
  "highlight-chair.webp": highlightChair,
  "highlight-curtain.webp": highlightCurtain,
  "highlight-dressing-room.webp": highlightDressingRoom,
  "highlight-festival.webp": highlightFestival,
  "highlight-lamps.webp": highlightLamps,
  "highlight-microphone.webp": highlightMicrophone,
  "highlight-opening-night.webp": highlightOpeningNight,
  "highlight-walk-home.webp": highlightWalkHome,
  "press-footlight.webp": pressFootlight,
  "press-form.webp": pressForm,
  "press-harbour.webp": pressHarbour,
  "press-late.webp": pressLate,
  "press-ledger.webp": pressLedger,
  "press-sofa.webp": pressSofa,
  "transformation-barbell.webp": transformationBarbell,
  "transformation-gym.webp": transformationGym,
  "transformation-kettlebell.webp": transformationKettlebell,
  "transformation-punchbag.webp": transformationPunchbag,
  "transformation-rings.webp": transformationRings,
  "transformation-runner.webp": transformationRunner,
};

/** What they show, for people who can't see them; the logos stand beside their names. */
export const sampleWords: Readonly<Record<string, string>> = {
  "about.webp": "A performer in a lit doorway, seen in a mirror framed by bulbs",
  "coaching-hero.webp": "A figure in a dark gym, lit through a tall window",
  "hero.webp": "A performer alone on stage in a cone of blue light",
  "highlight-chair.webp": "An empty chair with a coat over it, in a spotlight",
  "highlight-curtain.webp": "A figure stepping through a gap in the curtain into the light",
  "highlight-dressing-room.webp": "The way from the dressing room to the stage, lined with bulbs",
  "highlight-festival.webp": "A performer before a festival crowd, beams of light all around",
  "highlight-lamps.webp": "Two studio lamps, switched on",
  "highlight-microphone.webp": "A microphone in two beams of light",
  "highlight-opening-night.webp": "A figure at the top of lit stairs",
  "highlight-walk-home.webp": "A figure in a bright doorway at night",
  "transformation-barbell.webp": "A loaded barbell on the floor of a gym",
  "transformation-gym.webp": "A punchbag and a kettlebell under the tall windows of a gym",
  "transformation-kettlebell.webp": "A kettlebell in a shaft of light",
  "transformation-punchbag.webp": "A punchbag between two beams of light",
  "transformation-rings.webp": "Gymnastic rings in the light",
  "transformation-runner.webp": "A runner before a huge low sun",
};

/** How the large ones are cut, in percent: on a phone the figure stands beside the name, or above it. */
export const sampleFrames: Readonly<
  Record<string, { readonly focus: Point; readonly cuts?: Cuts }>
> = {
  "coaching-hero.webp": {
    focus: { x: 62, y: 62 },
    cuts: { heroTall: { x: 49, y: 28, width: 20.8, height: 72 } },
  },
  "hero.webp": { focus: { x: 62, y: 66 } },
};
