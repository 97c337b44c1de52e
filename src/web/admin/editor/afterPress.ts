/** Delays changes until a press is over: text that appears during the press would move the button away. */

let isPressed = false;

/** Notes whether a mouse button or finger is down. Returns a function that ends this. */
export function trackPresses(): () => void {
  const abortController = new AbortController();
  const options = { capture: true, signal: abortController.signal };
  for (const type of ["pointerdown", "pointerup", "pointercancel"])
    document.addEventListener(type, notePress, options);
  return () => abortController.abort();
}

const notePress = ({ type }: Event) => void (isPressed = type === "pointerdown");

/** Runs now, or after the click of the current press. */
export function runAfterPress(action: () => void): void {
  if (!isPressed) return action();
  const abortController = new AbortController();
  const finishPress = () => {
    abortController.abort();
    setTimeout(action);
  };
  document.addEventListener("pointerup", finishPress, abortController);
  document.addEventListener("pointercancel", finishPress, abortController);
}
