/** What happens to a write when the disk fails or the process dies at any of its steps. */
import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { disk } from "../../../src/server/storage/realDisk.ts";
import { Reserve } from "../../../src/server/storage/reserve.ts";
import { type Store } from "../../../src/server/storage/store.ts";
import { savingTrial } from "../../../src/server/storage/trySave.ts";
import { eventually } from "../../support/waits.ts";
import { diskError, faultyDisk, type Operation } from "./faultyDisk.ts";
import {
  hero,
  makeSite,
  siteForEach,
  rejection,
  subscriber,
  subscribers,
  type Site,
} from "./samples.ts";

const site = siteForEach();

const heroOf = (store: Store) => store.of(hero);
const list = (store: Store) => store.of(subscribers);
const changeHero = (store: Store, title: string) =>
  heroOf(store).update((value) => ({ ...value, title }));

/** A disk that can be told what to do from the next operation on. */
function tamperable(hurried = false) {
  const control = { gate: (_operation: Operation, _path: string): void | Promise<void> => {} };
  const disk = faultyDisk((operation, path) => control.gate(operation, path), hurried);
  return { control, disk };
}

test("the steps of a write come in the order that survives a power cut", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  const steps: string[] = [];
  control.gate = (operation, path) => {
    steps.push(`${operation} ${basename(path).replace(/[0-9a-f-]{36}/, "*")}`);
  };
  await changeHero(store, "Second");
  const named = steps.filter((step) => !/^(open|close|remove)/.test(step));
  const isCopys = (step: string) => step.includes("hero.json.bak.*");
  expect(named.filter((step) => !isCopys(step))).toEqual([
    "create hero.json.*.tmp",
    "write hero.json.*.tmp",
    "sync hero.json.*.tmp",
    "link 1.json.*.tmp",
    "rename 1.json",
    "sync hero",
    "rename hero.json.bak",
    "sync data",
    "rename hero.json",
    "sync data",
  ]);
  // The copy is written at the same time, and is on the disk before anything is renamed.
  expect(named.filter(isCopys)).toEqual([
    "create hero.json.bak.*.tmp",
    "write hero.json.bak.*.tmp",
    "sync hero.json.bak.*.tmp",
  ]);
  expect(named.indexOf("sync hero.json.bak.*.tmp")).toBeLessThan(named.indexOf("rename 1.json"));
});

describe.each(["ENOSPC", "EIO"])("when the disk answers %s", (code) => {
  const steps: Operation[] = ["open", "create", "write", "link", "rename"];
  test.each(steps)("at %s, the old state stays and nothing is left over", async (failing) => {
    const { control, disk } = tamperable();
    const store = await site.open({ disk });
    await list(store).insert(subscriber(1));
    const before = heroOf(store).read();
    control.gate = (operation) => {
      if (operation === failing) throw diskError(code);
    };
    expect(await rejection(changeHero(store, "Lost"))).toMatchObject({ code: "cannot_store" });
    expect(heroOf(store).read()).toBe(before);
    // Only what has a history is linked, and a further record is written into a file that is open.
    if (failing !== "link") {
      const refused = await rejection(list(store).delete("id-1"));
      expect(refused).toMatchObject({ code: "cannot_store" });
    }
    if (failing === "write") {
      const refused = await rejection(list(store).insert(subscriber(2)));
      expect(refused).toMatchObject({ code: "cannot_store" });
    }
    expect(list(store).count()).toBe(1);
    control.gate = () => {};
    expect(await temporaries()).toEqual([]);
    expect((await changeHero(store, "Later")).revision).toBe(before.revision + 1);
    await list(store).insert(subscriber(2));
    await store.close();
    const again = await site.open();
    expect(heroOf(again).read().value.title).toBe("Later");
    expect(list(again).count()).toBe(2);
  });
});

async function temporaries(): Promise<string[]> {
  const names = await readdir(site.directory, { recursive: true });
  return names.filter((name) => name.endsWith(".tmp"));
}

test("a file system without hard links gets copies", async () => {
  const { control, disk } = tamperable();
  control.gate = (operation) => {
    if (operation === "link") throw diskError("EPERM");
  };
  const store = await site.open({ disk });
  await changeHero(store, "Second");
  expect((await heroOf(store).revision(1))?.value.title).toBe("First");
  for (const number of [1, 2]) await list(store).insert(subscriber(number));
  await store.close();
  const backup = await Bun.file(join(site.directory, "subscribers", "000001.json.bak")).json();
  expect(backup.value).toEqual([subscriber(1), subscriber(2)]);
});

test("all who shared a failed write are refused, and one who threw gets its own error", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  control.gate = (operation) => {
    if (operation === "write") throw diskError("ENOSPC");
  };
  const mistake = new Error("mine");
  const outcomes = await Promise.allSettled([
    heroOf(store).update(() => {
      throw mistake;
    }),
    heroOf(store).update((value) => value),
    changeHero(store, "Lost"),
    heroOf(store).update((value) => value),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  expect((outcomes[0] as PromiseRejectedResult).reason).toBe(mistake);
  expect((outcomes[3] as PromiseRejectedResult).reason).toMatchObject({ code: "cannot_store" });
});

test.each(["file", "folder"])("a failed fsync of the %s ends the process", async (what) => {
  const { control, disk } = tamperable();
  const ends: Error[] = [];
  const onFatal = (error: Error): never => {
    ends.push(error);
    throw error;
  };
  const store = await site.open({ disk, onFatal });
  control.gate = (operation, path) => {
    if (operation !== "sync") return;
    if (path.endsWith(".tmp") === (what === "file")) throw diskError("EIO");
  };
  expect(await rejection(changeHero(store, "Lost"))).toMatchObject({ code: "cannot_store" });
  expect(ends).toHaveLength(1);
  expect(site.log.join("\n")).toContain("fsync failed");
  control.gate = () => {};
  expect(await rejection(changeHero(store, "Later"))).toMatchObject({ code: "cannot_store" });
  expect(await rejection(store.health())).toMatchObject({ code: "cannot_store" });
  expect(heroOf(store).read().value.title).toBe("First");
});

test("a refused write whose copy can't be put back doesn't come back at the next start", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  await changeHero(store, "Acknowledged");
  let copies = 0;
  control.gate = (operation, path) => {
    if (operation !== "rename" || path.includes("history")) return;
    // The new copy takes its name, and after that nothing does.
    if (!path.endsWith(".bak") || copies++ > 0) throw diskError("ENOSPC");
  };
  expect(await rejection(changeHero(store, "Refused"))).toMatchObject({ code: "cannot_store" });
  control.gate = () => {};
  await store.close();
  const again = await site.open();
  expect(heroOf(again).read().value.title).toBe("Acknowledged");
  expect(site.log.join("\n")).not.toContain("FINISHED");
});

test("where it can't even be removed, the process ends: nobody was told what became of it", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  let copies = 0;
  control.gate = (operation, path) => {
    if (operation === "remove" && path.endsWith(".bak")) throw diskError("EIO");
    if (operation !== "rename" || path.includes("history")) return;
    if (!path.endsWith(".bak") || copies++ > 0) throw diskError("EIO");
  };
  await rejection(changeHero(store, "Unknown"));
  expect(site.log.join("\n")).toContain("the process ends now");
});

test.each([
  ["create", "ENOSPC", "The disk is full"],
  ["write", "ENOSPC", "The disk is full"],
  ["write", "EDQUOT", "quota is used up"],
  ["create", "EROFS", "read-only"],
  ["create", "EACCES", "may not be written to"],
  ["open", "EMFILE", "Too many files"],
  ["sync", "EIO", "at the moment (EIO)"],
  ["rename", "EIO", "at the moment (EIO)"],
] as const)(
  "health fails when a save would at %s with %s, and says so",
  async (step, code, said) => {
    const { control, disk } = tamperable();
    const store = await site.open({ disk });
    control.gate = (operation) => {
      if (operation === step) throw diskError(code);
    };
    const refusal = await rejection(store.health());
    expect(refusal).toMatchObject({
      code: "cannot_store",
      message: expect.stringContaining(said),
    });
    control.gate = () => {};
    expect(await store.health()).toBeUndefined();
    expect(await temporaries()).toEqual([]);
    // It ends no process: the next save does, if it has to.
    expect(await changeHero(store, "Later")).toBeDefined();
  },
);

test("health syncs a file and its folder, as a save does", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  const seen: string[] = [];
  control.gate = (operation, path) => void seen.push(`${operation} ${path.includes("health")}`);
  await store.health();
  expect(seen).toEqual([
    "create true",
    "write true",
    "sync true",
    "close true",
    "read true",
    "rename true",
    "open false",
    "sync false",
    "close false",
    "remove true",
    "remove true",
  ]);
});

test("health of a disk that doesn't answer is over in time, and asks it once", async () => {
  const gate = Promise.withResolvers<void>();
  let creations = 0;
  const stalling = faultyDisk((operation) => {
    if (operation === "create") creations++;
    return operation === "sync" ? gate.promise : undefined;
  });
  await site.open();
  const trial = savingTrial(stalling, site.directory, 50);
  for (let at = 0; at < 3; at++)
    expect(await rejection(trial())).toMatchObject({
      message: expect.stringContaining("has kept nothing for 5 seconds"),
    });
  expect(creations).toBe(1);
  gate.resolve();
  await savingTrial(stalling, site.directory)();
});

const works: Record<string, (store: Store) => Promise<unknown>> = {
  "a change of a document": (store) => changeHero(store, "New"),
  "an insert": (store) => list(store).insert(subscriber(500)),
  "an insert that needs a new segment": (store) => list(store).insert(subscriber(500)),
  "a deletion": (store) => list(store).delete("id-1"),
};

test.each(Object.keys(works))(
  "after a crash at any step of %s the old or the new state is there, whole",
  async (name) => {
    const work = works[name]!;
    const filled = name.includes("new segment") ? 200 : 3;
    for (let survives = 0, finished = false; !finished; survives++) {
      const own = await makeSite();
      try {
        finished = await crashAfter(own, survives, work, filled);
      } finally {
        await own.remove();
      }
    }
  },
);

/** Runs the work on a disk that dies after some operations; true when it was not reached. */
async function crashAfter(
  own: Site,
  survives: number,
  work: (store: Store) => Promise<unknown>,
  filled: number,
): Promise<boolean> {
  const { control, disk } = tamperable(true);
  const store = await own.open({ disk });
  await Promise.all(
    Array.from({ length: filled }, (_, at) => list(store).insert(subscriber(at + 1))),
  );
  let operations = 0;
  control.gate = () => {
    if (operations++ >= survives) throw diskError("EIO");
  };
  const acknowledged = await work(store).then(
    () => true,
    () => false,
  );
  await store.close();
  control.gate = () => {};
  const after = await own.open({ disk });
  const changed =
    heroOf(after).read().value.title === "New" ||
    (await list(after).get("id-500")) !== undefined ||
    (await list(after).get("id-1")) === undefined;
  if (acknowledged) expect(changed).toBe(true);
  const expected = filled + ((await list(after).get("id-500")) ? 1 : 0);
  expect(list(after).count()).toBe(expected - ((await list(after).get("id-1")) ? 0 : 1));
  expect(own.log.filter((line) => line.includes("DAMAGED"))).toEqual([]);
  await list(after).insert(subscriber(900));
  return acknowledged && operations <= survives;
}

test("a write that was under way when a move began is not acknowledged: the move may have missed it", async () => {
  const { control, disk } = tamperable();
  const store = await site.open({ disk });
  const changes = [
    ["hero.json", () => changeHero(store, "Late")],
    ["000001.jsonl", () => list(store).insert(subscriber(1))],
  ] as const;
  for (const [name, change] of changes) {
    const reached = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    control.gate = (operation, path) => {
      if (!["rename", "write"].includes(operation) || basename(path) !== name) return;
      reached.resolve();
      return goesOn.promise;
    };
    const refused = rejection(change());
    await reached.promise;
    await site.engine.standstill.begin({ data: "another place", pictures: "another place" });
    goesOn.resolve();
    expect((await refused).message).toStartWith("This site is being moved to another place");
    await site.engine.standstill.end();
  }
  expect(heroOf(store).read().value.title).not.toBe("Late");
  expect(list(store).count()).toBe(0);
  await changeHero(store, "After");
  await list(store).insert(subscriber(1));
  await store.close();
  const after = await site.open();
  expect([heroOf(after).read().value.title, list(after).count()]).toEqual(["After", 1]);
});

test("a reserve that is not whole, after a kill or on a disk that was full, is made good", async () => {
  const folder = await mkdtemp(join(tmpdir(), "limelight-reserve-"));
  const file = Bun.file(join(folder, ".reserve"));
  for (const bytes of [0, 1 << 16]) {
    await Bun.write(file, new Uint8Array(bytes));
    const reserve = new Reserve(disk, folder);
    await reserve.hold();
    // As after each write that found room.
    reserve.grow();
    // It is away for a moment while it is made anew.
    const size = async () => (await stat(file.name!).catch(() => undefined))?.size;
    await eventually(size, 1 << 20);
    await file.delete();
  }
  await Bun.write(file, new Uint8Array(1 << 20));
  const whole = await stat(file.name!);
  await new Reserve(disk, folder).hold();
  expect((await stat(file.name!)).ino).toBe(whole.ino);
  await rm(folder, { recursive: true });
});
