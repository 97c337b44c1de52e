/** Lets the first screen have the line to itself until it has been painted. */

/**
 * Runs behind the hero's picture: what stands below the hero is not laid out, so none of its pictures
 * is asked for, until the picture has come or failed and a frame has been shown with it; at the latest
 * after three seconds, or when the visitor does anything. `data-alone` on the page is for the styles.
 * Whoever comes for a section further down (`#about`), comes back to where they were, or has no scripts
 * gets the whole page at once.
 */
export const FIRST_SCREEN_SCRIPT =
  "(s=>{let p=s.closest('.page'),i=s.previousElementSibling,f=requestAnimationFrame," +
  "r=()=>delete p.dataset.alone,shown=()=>f(()=>f(()=>f(r)));" +
  "if(location.hash||performance.getEntriesByType('navigation')[0]?.type!=='navigate')return;" +
  "p.dataset.alone='';setTimeout(r,3000);" +
  "if(i.complete)shown();else for(let e of ['load','error'])i.addEventListener(e,shown);" +
  "for(let e of ['scroll','wheel','keydown','pointerdown'])addEventListener(e,r,{once:true,passive:true})" +
  "})(document.currentScript);";
