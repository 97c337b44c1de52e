/** Sends uploaded files to a virus scanner (ClamAV), with the protocol of clamd. */
import { createConnection } from "node:net";
import { cannotStore, invalidInput, describeError } from "../shared/errors.ts";
import type { ScannerAddress } from "../shared/scannerAddress.ts";
import { encodeUint32 } from "./imageStructure.ts";

/** Throws 422 if the scanner finds a virus, and `cannot_store` if the scanner doesn't respond properly. */
export type ScanFile = (bytes: Uint8Array) => Promise<void>;

/** A scanner that sends nothing for this long is treated as unavailable. */
const SCAN_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 1000;

export function createScanner(
  { location, connectOptions }: ScannerAddress,
  log: (line: string) => void,
): ScanFile {
  return async (bytes) => {
    const response = await requestScan(bytes, connectOptions).catch(describeError);
    if (response === "stream: OK") return;
    const virusName = /^stream: (.+) FOUND$/.exec(response)?.[1];
    if (virusName === undefined) {
      log(`uploads: the scanner at ${location} failed (${response.slice(0, 200)})`);
      throw cannotStore(SCANNER_UNAVAILABLE_MESSAGE);
    }
    log(`uploads: the scanner rejected an image (${virusName})`);
    throw invalidInput(VIRUS_MESSAGE);
  };
}

const VIRUS_MESSAGE = "The virus scanner flagged this image, so it wasn't uploaded.";
const SCANNER_UNAVAILABLE_MESSAGE =
  "The virus scanner isn't responding, so the image wasn't uploaded. Try again in a few minutes.";

/** Sends INSTREAM, the file's length in four bytes, the file, and an empty chunk, which ends the data (clamd(8)). */
function requestScan(
  bytes: Uint8Array,
  connectOptions: ScannerAddress["connectOptions"],
): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = "";
    const socket = createConnection(connectOptions);
    socket.setTimeout(SCAN_TIMEOUT_MS, () => socket.destroy(cannotStore("no response")));
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      response += chunk.toString("utf8");
      if (response.length > MAX_RESPONSE_BYTES) socket.destroy(cannotStore("response too long"));
    });
    socket.on("close", () => resolve(response.replace(/\0.*$/s, "")));
    socket.write("zINSTREAM\0");
    socket.write(encodeUint32(bytes.length));
    socket.write(bytes);
    socket.write(encodeUint32(0));
  });
}
