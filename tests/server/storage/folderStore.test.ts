/** The store in a data folder keeps what every engine promises. */
import { testEngineConformance } from "./conformance.ts";
import { hero, createSite, subscribers } from "./samples.ts";

testEngineConformance("a store in the data folder", async () => {
  const { engine, remove } = await createSite();
  const opened: { close(): Promise<void> }[] = [];
  return {
    engine,
    async open(more = {}) {
      const store = await engine.open({ entities: [hero, subscribers], log: () => {}, ...more });
      opened.push(store);
      return store;
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await remove();
    },
  };
});
