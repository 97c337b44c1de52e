/** A process of its own that writes until it is killed and prints what was acknowledged. */
import { isRefusal } from "../../../src/server/shared/errors.ts";
import { openStore } from "../../../src/server/storage/files/openStore.ts";
import { hero, subscriber, subscribers, visit, visits } from "./samples.ts";

const [directory, start] = process.argv.slice(2);
try {
  const store = await openStore({
    directory: directory!,
    entities: [hero, subscribers, visits],
  });
  await Promise.all([0, 1, 2].map((lane) => write(lane)));

  async function write(lane: number): Promise<void> {
    for (let number = Number(start) + lane; ; number += 3) {
      await store.of(subscribers).insert(subscriber(number));
      const saved = await store.of(hero).update((value) => ({
        ...value,
        score: Math.max(value.score, number),
      }));
      await store.of(visits).put(`visit-${number}`, () => visit(number));
      if (number % 20 === 0) await store.of(visits).update((list) => list.slice(-10));
      process.stdout.write(`${number} ${saved.value.score}\n`);
    }
  }
} catch (error) {
  if (!isRefusal(error, "cannot_open")) throw error;
  process.stdout.write(`refused: ${error.message}\n`);
  process.exit(3);
}
