/** Questions at the terminal, or lines of standard input where there is none. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";

let reader: AsyncIterator<string> | undefined;
let muted = false;

/** Asks for a line; an ended input answers nothing. */
export async function ask(question: string): Promise<string> {
  process.stdout.write(question);
  reader ??= lines()[Symbol.asyncIterator]();
  const { value, done } = await reader.next();
  return done ? "" : value.trim();
}

/** As `ask`, but what is typed does not show. */
export async function askSecretly(question: string): Promise<string> {
  muted = true;
  try {
    return await ask(question);
  } finally {
    muted = false;
    process.stdout.write("\n");
  }
}

function lines(): Interface {
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!muted) process.stdout.write(chunk as Uint8Array);
      done();
    },
  });
  return createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY ?? false });
}
