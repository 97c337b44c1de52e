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

/** How often a picture that is on its way is looked after, in milliseconds. */
const AGAIN = 80;

/**
 * The same for a hero that a script put into the page, where inline scripts don't run; `address` is
 * the picture's, or undefined without one. Answers how to stop. It looks instead of listening, since
 * in the frames of the dashboard's previews no listener is called.
 */
export function watchArrival(hero: HTMLElement, address: string | undefined): () => void {
  const picture = address === undefined ? null : hero.querySelector("img");
  const timer = setInterval(look, AGAIN);
  look();
  return () => clearInterval(timer);

  function look(): void {
    const loading = picture !== null && !picture.complete;
    hero.dataset["state"] = loading ? "loading" : picture?.naturalWidth === 0 ? "failed" : "loaded";
    if (!loading) clearInterval(timer);
  }
}
