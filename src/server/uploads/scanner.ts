/** Asks a virus scanner that speaks clamd's protocol (ClamAV) about the bytes of a picture as they came. */
import { createConnection } from "node:net";
import { cannotStore, invalid } from "../shared/errors.ts";
import type { ScannerAddress } from "../shared/scannerAddress.ts";

/** Resolves for what is clean. Throws 422 for what isn't, and `cannot_store` where nobody says. */
export type Scan = (bytes: Uint8Array) => Promise<void>;

/** A scanner that says nothing for so long is taken for gone, in milliseconds. */
const PATIENCE_MS = 10_000;
/** Its answer is one line. */
const MOST_ANSWER = 1000;

/** A scan by clamd; what it finds, and what it can't look at, is refused. */
export function scanner({ at, connect }: ScannerAddress, log: (line: string) => void): Scan {
  return async (bytes) => {
    const said = await answerTo(bytes, connect).catch((error: Error) => error.message);
    if (said === "stream: OK") return;
    const found = /^stream: (.+) FOUND$/.exec(said)?.[1];
    if (found === undefined) {
      log(`uploads: the scanner at ${at} failed (${said.slice(0, 200)})`);
      throw cannotStore(UNKNOWN);
    }
    log(`uploads: the scanner refused a picture (${found})`);
    throw invalid(FOUND);
  };
}

const FOUND = "The virus scanner found something bad in this picture, so it wasn't taken.";
const UNKNOWN =
  "The virus scanner doesn't answer, so the picture wasn't taken. Try again in a few minutes.";

/** INSTREAM: the length of a piece in four bytes and the piece, an empty one at the end (clamd(8)). */
function answerTo(bytes: Uint8Array, connect: ScannerAddress["connect"]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = createConnection(connect);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error("no answer")));
    socket.on("error", reject);
    socket.on("data", (piece) => {
      answer += piece.toString("utf8");
      if (answer.length > MOST_ANSWER) socket.destroy(new Error("not an answer"));
    });
    socket.on("close", () => resolve(answer.replace(/\0.*$/s, "")));
    socket.write("zINSTREAM\0");
    socket.write(lengthOf(bytes.length));
    socket.write(bytes);
    socket.write(lengthOf(0));
  });
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes);
  return length;
}
