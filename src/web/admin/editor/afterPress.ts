/** Delays changes until a press is over: text that appears during the press would move the button away. */

let isPressed = false;

/** Notes whether a mouse button or finger is down. Returns a function that ends this. */
export function trackPresses(): () => void {
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  document.addEventListener("pointerdown", setPressed(true), options);
  document.addEventListener("pointerup", setPressed(false), options);
  document.addEventListener("pointercancel", setPressed(false), options);
  return () => ended.abort();
}

const setPressed = (isNowPressed: boolean) => () => {
  isPressed = isNowPressed;
};

/** Runs now, or after the click of the current press. */
export function runAfterPress(act: () => void): void {
  if (!isPressed) return act();
  const listening = new AbortController();
  const finishPress = () => {
    listening.abort();
    setTimeout(act);
  };
  document.addEventListener("pointerup", finishPress, listening);
  document.addEventListener("pointercancel", finishPress, listening);
}
