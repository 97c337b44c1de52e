/** The sample pictures inside the program: file name -> path to read from. */

import about from "./pictures/about.webp" with { type: "file" };
import coachingHero from "./pictures/coaching-hero.webp" with { type: "file" };
import hero from "./pictures/hero.webp" with { type: "file" };
import highlightDressingRoom from "./pictures/highlight-dressing-room.webp" with { type: "file" };
import highlightFestival from "./pictures/highlight-festival.webp" with { type: "file" };
import highlightLeap from "./pictures/highlight-leap.webp" with { type: "file" };
import highlightMicrophone from "./pictures/highlight-microphone.webp" with { type: "file" };
import highlightOpeningNight from "./pictures/highlight-opening-night.webp" with { type: "file" };
import highlightRedCurtain from "./pictures/highlight-red-curtain.webp" with { type: "file" };
import highlightStudio from "./pictures/highlight-studio.webp" with { type: "file" };
import highlightWalkHome from "./pictures/highlight-walk-home.webp" with { type: "file" };
import pressFootlight from "./pictures/press-footlight.webp" with { type: "file" };
import pressForm from "./pictures/press-form.webp" with { type: "file" };
import pressHarbour from "./pictures/press-harbour.webp" with { type: "file" };
import pressLate from "./pictures/press-late.webp" with { type: "file" };
import pressLedger from "./pictures/press-ledger.webp" with { type: "file" };
import pressSofa from "./pictures/press-sofa.webp" with { type: "file" };
import transformationBoxing from "./pictures/transformation-boxing.webp" with { type: "file" };
import transformationKettlebell from "./pictures/transformation-kettlebell.webp" with { type: "file" };
import transformationOverhead from "./pictures/transformation-overhead.webp" with { type: "file" };
import transformationPlank from "./pictures/transformation-plank.webp" with { type: "file" };
import transformationRope from "./pictures/transformation-rope.webp" with { type: "file" };
import transformationRunner from "./pictures/transformation-runner.webp" with { type: "file" };
import transformationStanding from "./pictures/transformation-standing.webp" with { type: "file" };
import transformationStretch from "./pictures/transformation-stretch.webp" with { type: "file" };

export const samplePictures: Readonly<Record<string, string>> = {
  "about.webp": about,
  "coaching-hero.webp": coachingHero,
  "hero.webp": hero,
  "highlight-dressing-room.webp": highlightDressingRoom,
  "highlight-festival.webp": highlightFestival,
  "highlight-leap.webp": highlightLeap,
  "highlight-microphone.webp": highlightMicrophone,
  "highlight-opening-night.webp": highlightOpeningNight,
  "highlight-red-curtain.webp": highlightRedCurtain,
  "highlight-studio.webp": highlightStudio,
  "highlight-walk-home.webp": highlightWalkHome,
  "press-footlight.webp": pressFootlight,
  "press-form.webp": pressForm,
  "press-harbour.webp": pressHarbour,
  "press-late.webp": pressLate,
  "press-ledger.webp": pressLedger,
  "press-sofa.webp": pressSofa,
  "transformation-boxing.webp": transformationBoxing,
  "transformation-kettlebell.webp": transformationKettlebell,
  "transformation-overhead.webp": transformationOverhead,
  "transformation-plank.webp": transformationPlank,
  "transformation-rope.webp": transformationRope,
  "transformation-runner.webp": transformationRunner,
  "transformation-standing.webp": transformationStanding,
  "transformation-stretch.webp": transformationStretch,
};
