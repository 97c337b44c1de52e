/** Waits until a press is over: words that appear during it would move the button from under it. */

let isPressed = false;

/** Notes from now on when the pointer is down. Returns how to end that. */
export function notePresses(): () => void {
  const ended = new AbortController();
  const options = { capture: true, signal: ended.signal };
  document.addEventListener("pointerdown", note(true), options);
  document.addEventListener("pointerup", note(false), options);
  document.addEventListener("pointercancel", note(false), options);
  return () => ended.abort();
}

const note = (pressed: boolean) => () => {
  isPressed = pressed;
};

/** Acts now, or once the pointer has been let go and its click has been heard. */
export function afterPress(act: () => void): void {
  if (!isPressed) return act();
  const heard = new AbortController();
  const end = () => {
    heard.abort();
    setTimeout(act);
  };
  document.addEventListener("pointerup", end, heard);
  document.addEventListener("pointercancel", end, heard);
}
