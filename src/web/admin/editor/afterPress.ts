/** Delays actions until a press has ended, since new text could move the pressed button away from the pointer. */

let isPressed = false;

/** Tracks presses. Returns a function that stops this. */
export function trackPresses(): () => void {
  const abortController = new AbortController();
  const options = { capture: true, signal: abortController.signal };
  for (const type of ["pointerdown", "pointerup", "pointercancel"])
    document.addEventListener(type, notePress, options);
  return () => abortController.abort();
}

const notePress = ({ type }: Event) => void (isPressed = type === "pointerdown");

/** Runs the action at once, or after the press in progress. */
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
