/**
 * Brings the enquiry form to life when its visitor is about to need that: a pointer over something that needs its
 * code, a press, focus. Scrolling and time alone never do. A press that comes before the code is kept,
 * and done when the form lives. Where the code can't be had, or comes and doesn't live, the form is posted as
 * without scripts; without a network it stays as it is.
 */
import { fetchAhead, fetchAheadWhenSlow, savesData } from "./ahead.ts";
import { note } from "./note.ts";
import type { ProgramWords } from "../words/programWords.ts";

/** Stands before this program. */
declare const WORDS: ProgramWords;

/** What needs code, at the address it names: a form that can do without it. */
const WAKES = "[data-wakes]";

const CONTROL = "button, input, select, textarea, label";

/** A form that its visitor has begun already: sent without scripts, or typed into before a reload. */
const BEGUN = "[data-begun]";
const KEPT_ANSWERS = "limelight.enquiry.";

/** How long code that has come may take to live, in milliseconds. */
const PATIENCE = 10_000;

/** Listens until the form lives: to be called once. */
export function wakeAtIntent(): void {
  const script = document.querySelector<HTMLElement>(WAKES)!.dataset["wakes"]!;
  let life: Promise<void> | undefined;
  let isAlive = false;
  let kept: HTMLElement | undefined;
  const placeOf = ({ target }: Event) =>
    !isAlive && target instanceof Element ? target.closest<HTMLElement>(WAKES) : null;
  const wake = () => (life ??= start());
  // What has failed once is tried again when something is pressed.
  let hasFailed = false;
  const wakeEarly = () => {
    if (!hasFailed) wake().catch(() => (hasFailed = true));
  };

  document.addEventListener("pointerover", (event) => {
    // A finger is told by touchstart.
    if (event.pointerType !== "touch" && placeOf(event)) wakeEarly();
  });
  document.addEventListener(
    "touchstart",
    (event) => {
      if (!placeOf(event)) return;
      // On a control it is about to press; elsewhere a finger may only want to scroll.
      if ((event.target as Element).closest(CONTROL)) wakeEarly();
      else if (!savesData()) fetchAhead(script);
    },
    { passive: true },
  );
  document.addEventListener("focusin", (event) => placeOf(event) && wakeEarly());
  document.addEventListener("click", keep, { capture: true });
  addEventListener("hashchange", () => isBegun() && wakeEarly());
  if (isBegun()) wakeEarly();
  else fetchAheadWhenSlow(script);

  async function start(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    addEventListener("alive", () => resolve());
    // An extension, or a cache that is half of another release: what has come may throw, or do nothing.
    addEventListener("error", reject);
    import(script).then(() => setTimeout(reject, PATIENCE), reject);
    try {
      await promise;
    } catch (error) {
      life = undefined;
      throw error;
    }
    isAlive = true;
  }

  function keep(event: MouseEvent): void {
    const button = placeOf(event) && (event.target as Element).closest("button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (kept === undefined) void pressWhenAlive();
    // Of several the last one counts; whoever has pressed it sees that at once.
    else kept.ariaBusy = null;
    button.ariaBusy = "true";
    kept = button;
  }

  async function pressWhenAlive(): Promise<void> {
    let isCut = false;
    await wake()
      .catch(reachSite)
      .catch(() => (isCut = true));
    const button = kept!;
    kept = undefined;
    button.ariaBusy = null;
    if (isCut) {
      note(WORDS.unsent, () => reachSite().then(() => button.click()));
      return;
    }
    // Where the code could not be had, the press works without scripts too.
    isAlive = true;
    button.click();
  }
}

/** Rejects where a post wouldn't come back either: the browser's own page would take the place of what was typed. */
const reachSite = () => fetch(location.href, { method: "HEAD" });

function isBegun(): boolean {
  // Somebody who comes by a package is about to write of it (site/parts/aboutPlace.ts).
  if (document.querySelector(BEGUN) || location.hash.startsWith("#about-")) return true;
  try {
    const form = document.querySelector(`${WAKES} form`);
    return form !== null && Object.keys(sessionStorage).some((key) => key.startsWith(KEPT_ANSWERS));
  } catch {
    return false;
  }
}
