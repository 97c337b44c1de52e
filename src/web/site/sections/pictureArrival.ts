/** Notes on the hero whether its picture is on its way, there or lost: `data-state` for the styles. */

/**
 * Runs as soon as the browser has read the picture, long before any other script: it stands in the
 * page right behind it.
 */
export const ARRIVAL_SCRIPT =
  "(s=>{let h=s.parentNode,i=h.querySelector('img'),d=v=>h.dataset.state=v;" +
  "if(i.complete)d(i.naturalWidth?'loaded':'failed');" +
  "else{d('loading');i.addEventListener('load',()=>d('loaded'));" +
  "i.addEventListener('error',()=>d('failed'))}})(document.currentScript)";

/**
 * The same for a hero that a script put into the page, where inline scripts don't run; `address` is
 * the picture's, or undefined without one. Answers how to stop.
 */
export function watchArrival(hero: HTMLElement, address: string | undefined): () => void {
  const picture = address === undefined ? null : hero.querySelector("img");
  const note = () => {
    const loading = picture !== null && !picture.complete;
    hero.dataset["state"] = loading ? "loading" : picture?.naturalWidth === 0 ? "failed" : "loaded";
  };
  note();
  picture?.addEventListener("load", note);
  picture?.addEventListener("error", note);
  return () => {
    picture?.removeEventListener("load", note);
    picture?.removeEventListener("error", note);
  };
}
