/** Delays changes until a press has ended: text that appears during a press could move the pressed button away. */

let isPressed = false;

/** Tracks whether a mouse button or finger is down. Returns a function that stops this. */
export function trackPresses(): () => void {
  const abortController = new AbortController();
  const options = { capture: true, signal: abortController.signal };
  for (const type of ["pointerdown", "pointerup", "pointercancel"])
    document.addEventListener(type, notePress, options);
  return () => abortController.abort();
}

const notePress = ({ type }: Event) => void (isPressed = type === "pointerdown");

/** Runs the action now or, during a press, after the click. */
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
