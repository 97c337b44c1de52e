/**
 * Notes on the hero whether its picture is on its way, there or lost: `data-state` for the styles. Stands
 * in the page behind the picture, so that it runs long before any other script.
 */
function noteArrival(script: HTMLOrSVGScriptElement): void {
  const hero = script.parentElement!;
  const picture = hero.querySelector("img")!;
  const note = (state: "loading" | "loaded" | "failed") => {
    hero.dataset["state"] = state;
  };
  if (picture.complete) note(picture.naturalWidth ? "loaded" : "failed");
  else {
    note("loading");
    picture.addEventListener("load", () => note("loaded"));
    picture.addEventListener("error", () => note("failed"));
  }
}

noteArrival(document.currentScript!);
