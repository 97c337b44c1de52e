/**
 * Notes on the hero whether its picture is on its way, there or lost: `data-state` for the styles. Stands
 * in the page behind the picture, so that it runs long before any other script. `data-seen` says that this
 * session has had the entrance already (sections/HeroEntrance.css).
 */
function noteArrival(script: HTMLOrSVGScriptElement): void {
  const hero = script.parentElement!;
  const picture = hero.querySelector("img")!;
  const note = (state: "loading" | "loaded" | "failed") => {
    hero.dataset["state"] = state;
  };
  if (isSeen()) hero.dataset["seen"] = "";
  if (picture.complete) note(picture.naturalWidth ? "loaded" : "failed");
  else {
    note("loading");
    picture.addEventListener("load", () => note("loaded"));
    picture.addEventListener("error", () => note("failed"));
  }
}

/** False once in a session; true where the browser remembers nothing. */
function isSeen(): boolean {
  try {
    const seen = sessionStorage.getItem("limelight.seen");
    sessionStorage.setItem("limelight.seen", "1");
    return seen !== null;
  } catch {
    return true;
  }
}

noteArrival(document.currentScript!);
