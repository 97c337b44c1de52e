/**
 * Sets the hero's `data-state` for the styles: loading, loaded or failed. The script directly follows the picture, so
 * it runs first. `data-seen` means that the entrance was already shown in this session (sections/HeroEntrance.css).
 */
function trackPictureArrival(): void {
  const hero = document.currentScript?.parentElement;
  const picture = hero?.querySelector("img");
  if (!hero || !picture) return;
  const setState = (state: "loading" | "loaded" | "failed") => {
    hero.dataset["state"] = state;
  };
  if (wasEntranceShown()) hero.dataset["seen"] = "";
  if (picture.complete) setState(picture.naturalWidth ? "loaded" : "failed");
  else {
    setState("loading");
    picture.addEventListener("load", () => setState("loaded"));
    picture.addEventListener("error", () => setState("failed"));
  }
}

/** Returns false only the first time in a session, and always true if the browser has no storage. */
function wasEntranceShown(): boolean {
  try {
    const storedMark = sessionStorage.getItem("limelight.seen");
    sessionStorage.setItem("limelight.seen", "1");
    return storedMark !== null;
  } catch {
    return true;
  }
}

trackPictureArrival();
