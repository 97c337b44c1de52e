/** The sample pictures embedded in the program: file name -> readable path. */
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

export const pictureFiles: Readonly<Record<string, string>> = {
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
