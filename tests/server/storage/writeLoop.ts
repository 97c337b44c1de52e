/** A process that writes until it is killed, and prints what was acknowledged. */
import { isRefusal } from "../../../src/server/shared/errors.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { hero, createSubscriber, subscribers } from "./samples.ts";

try {
  const store = await openStore({ directory: process.argv[2]!, entities: [hero, subscribers] });
  for (let number = 0; ; number++) {
    await store.of(subscribers).insert(createSubscriber(number));
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  if (!isRefusal(error, "cannot_open")) throw error;
  process.stdout.write(`refused: ${error.message}\n`);
  process.exit(3);
}
