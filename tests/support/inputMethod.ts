/** Types as with an input method, such as for Japanese: a word is composed before it is inserted. */
import type { Page } from "playwright-core";

/** A word that is being composed in the focused field. */
interface Composition {
  /** Presses a key that the input method handles itself. */
  press(key: string): Promise<void>;
  /** Ends the word with Enter, so that the browser inserts it. */
  end(): Promise<void>;
}

/** Begins a word in the focused field, and leaves it unfinished. */
export async function beginComposition(page: Page, text: string): Promise<Composition> {
  const session = await page.context().newCDPSession(page);
  const at = text.length;
  await session.send("Input.imeSetComposition", { text, selectionStart: at, selectionEnd: at });
  // All keys have this code (229) while a word is being composed.
  const press = async (key: string) => {
    await session.send("Input.dispatchKeyEvent", {
      type: "rawKeyDown",
      key,
      code: key,
      windowsVirtualKeyCode: 229,
    });
  };
  return {
    press,
    async end() {
      await press("Enter");
      await session.send("Input.insertText", { text });
      await session.detach();
    },
  };
}
