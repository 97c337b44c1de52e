/** Waits until a press is over: words that appear meanwhile would move the button from under it. */

let isPressed = false;

const note = (pressed: boolean) => () => {
  isPressed = pressed;
};
document.addEventListener("pointerdown", note(true), true);
document.addEventListener("pointerup", note(false), true);
document.addEventListener("pointercancel", note(false), true);

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
