/**
 * Hydrates the enquiry form when the visitor is about to use it: on focus, on a press, or when a mouse is over it. A
 * press before hydration is repeated afterwards. If hydration fails, the browser submits the plain HTML form. If the
 * site can't be reached, nothing is submitted, and a note is shown.
 */
import { prefetch, prefetchWhenSlow, isSavingData } from "./prefetch.ts";
import { showRetryMessage } from "./retryMessage.ts";

/** Matches the enquiry form. The attribute's value is the URL of the code that hydrates it. */
const FORM_SELECTOR = "[data-wakes]";

const CONTROL_SELECTOR = "button, input, select, textarea, label";

/** Matches a form that the visitor has begun: it was sent without scripts, or filled in before a reload. */
const BEGUN_SELECTOR = "[data-begun]";
const STORED_ANSWERS_PREFIX = "limelight.enquiry.";

/** The maximum time from loading the code until the form is hydrated, in milliseconds. */
const HYDRATION_TIMEOUT_MS = 10_000;

export function hydrateOnIntent(): void {
  const form = document.querySelector<HTMLElement>(FORM_SELECTOR);
  const scriptUrl = form?.dataset["wakes"];
  if (!scriptUrl) return;
  undoForeignChanges(form);
  let hydration: Promise<void> | undefined;
  let isHydrated = false;
  const stopInterception = () => (isHydrated = true);

  const findContainer = ({ target }: Event) =>
    !isHydrated && target instanceof Element ? target.closest<HTMLElement>(FORM_SELECTOR) : null;
  const startHydration = () =>
    (hydration ??= hydrate(scriptUrl, stopInterception).catch((error) => {
      hydration = undefined;
      throw error;
    }));
  // After a failure, loading is retried only on a press.
  let hasFailed = false;
  const hydrateEarly = () => {
    if (!hasFailed) startHydration().catch(() => (hasFailed = true));
  };

  document.addEventListener("pointerover", (event) => {
    // The listener for touchstart handles touches.
    if (event.pointerType !== "touch" && findContainer(event)) hydrateEarly();
  });
  document.addEventListener(
    "touchstart",
    (event) => {
      if (!findContainer(event)) return;
      // A touch on a control is probably a press. A touch elsewhere may be the start of scrolling.
      if ((event.target as Element).closest(CONTROL_SELECTOR)) hydrateEarly();
      else if (!isSavingData()) prefetch(scriptUrl);
    },
    { passive: true },
  );
  document.addEventListener("focusin", (event) => findContainer(event) && hydrateEarly());
  queuePresses(findContainer, startHydration, stopInterception);
  addEventListener("hashchange", () => isFormBegun() && hydrateEarly());
  if (isFormBegun()) hydrateEarly();
  else prefetchWhenSlow(scriptUrl);
}

/** Undoes changes by extensions and translators right before hydration, or React would replace the whole form. */
function undoForeignChanges(form: HTMLElement): void {
  const changes: MutationRecord[] = [];
  const observer = new MutationObserver((newRecords) => changes.push(...newRecords));
  observer.observe(form, { subtree: true, childList: true, characterDataOldValue: true });
  addEventListener("hydrating", () => {
    changes.push(...observer.takeRecords());
    observer.disconnect();
    const focused = document.activeElement;
    for (const {
      target,
      addedNodes,
      removedNodes,
      nextSibling,
      oldValue,
    } of changes.toReversed()) {
      for (const node of addedNodes) node.parentNode?.removeChild(node);
      for (const node of removedNodes) target.insertBefore(node, nextSibling);
      if (oldValue !== null) target.nodeValue = oldValue;
    }
    // A field that was removed and inserted again has lost the focus.
    if (focused instanceof HTMLElement && focused !== document.activeElement)
      focused.focus({ preventScroll: true });
  });
}

/** Resolves once the form is hydrated. `stopInterception` lets presses through. */
function hydrate(scriptUrl: string, stopInterception: () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  addEventListener("hydrated", () => {
    // A late script may hydrate the form even after the promise was rejected.
    stopInterception();
    resolve();
  });
  // The loaded script may throw or do nothing, for example if a cache mixes files of two releases.
  addEventListener("error", reject);
  import(scriptUrl).then(() => setTimeout(reject, HYDRATION_TIMEOUT_MS), reject);
  return promise;
}

/** Holds presses back during hydration, then repeats the last one. If hydration failed, the browser handles it. */
function queuePresses(
  findContainer: (event: Event) => HTMLElement | null,
  startHydration: () => Promise<void>,
  stopInterception: () => void,
): void {
  let queuedButton: HTMLElement | undefined;
  document.addEventListener("click", queuePress, { capture: true });

  function queuePress(event: MouseEvent): void {
    const button = findContainer(event) && (event.target as Element).closest("button");
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (queuedButton === undefined) void pressWhenHydrated();
    // Only the last of several presses is repeated, so only its button is marked as busy.
    else queuedButton.ariaBusy = null;
    button.ariaBusy = "true";
    queuedButton = button;
  }

  async function pressWhenHydrated(): Promise<void> {
    let isUnreachable = false;
    await startHydration()
      .catch(assertSiteReachable)
      .catch(() => (isUnreachable = true));
    const button = queuedButton;
    if (!button) return;
    queuedButton = undefined;
    button.ariaBusy = null;
    if (isUnreachable) {
      showRetryMessage(WORDS.unsent, () => assertSiteReachable().then(() => button.click()));
      return;
    }
    // If hydration has failed, the browser submits the plain HTML form.
    stopInterception();
    button.click();
  }
}

/** Rejects if the site can't be reached: posting would lead to the browser's error page and lose typed text. */
const assertSiteReachable = () => fetch(location.href, { method: "HEAD" });

function isFormBegun(): boolean {
  // A visitor who follows a package's link is about to use the form (site/parts/packageAnchor.ts).
  if (document.querySelector(BEGUN_SELECTOR) || location.hash.startsWith("#about-")) return true;
  try {
    const form = document.querySelector(`${FORM_SELECTOR} form`);
    return (
      form !== null &&
      Object.keys(sessionStorage).some((key) => key.startsWith(STORED_ANSWERS_PREFIX))
    );
  } catch {
    return false;
  }
}
