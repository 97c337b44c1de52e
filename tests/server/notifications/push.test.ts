/** New enquiries reach an owner's devices, and only these can read them (specification, section 4.18). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { entities } from "../../../src/schema/index.ts";
import { arePushKeysValid, createVapidKeys } from "../../../src/server/notifications/pushCrypto.ts";
import { addForm, ANSWERS, createEnquiry } from "../../support/enquirySite.ts";
import { readStoredTexts } from "../../support/storedTexts.ts";
import { startPushService } from "../../support/pushService.ts";
import {
  waitForValue,
  OWNER,
  ownerOf,
  setUpSiteForAll,
  startSite,
} from "../../support/testSite.ts";
const service = startPushService();
const secondService = startPushService();
const site = setUpSiteForAll(() =>
  startSite({
    env: { RATE_LIMIT: "off", PRIVATE_CALLS: "on" },
  }),
);
const owner = ownerOf(site);
beforeAll(async () => {
  await addForm(site.store);
});
afterAll(() => Promise.all([service.stop(), secondService.stop()]));

const sendEnquiry = async (): Promise<string> =>
  (await site.visitor().post("/api/form-submissions", createEnquiry(ANSWERS))).body.id;
const findPushMessages = async (id: string | null) =>
  (await site.context.mail.outbox.listPage({ offset: 0, limit: 50 })).items.filter(
    ({ about, kind }) => kind === "push" && about === id,
  );
const readDevices = async () => (await owner.get("/api/push")).body.devices;

test("a new device gets an encrypted notification at once, and then one for every enquiry", async () => {
  const added = await owner.post("/api/push", service.subscription);
  expect([added.status, added.body.devices.length]).toEqual([200, 1]);
  await waitForValue(() => service.received.length, 1);
  expect(service.received[0]!.notification.title).toBe("Notifications are on");
  const id = await sendEnquiry();
  await waitForValue(() => service.received.length, 2);
  const [, { notification, headers, claims, publicKey }] = service.received as [any, any];
  expect(notification).toEqual({
    title: "New submission",
    body: "Ann Example, Inner name",
    link: `/admin/dashboard?tab=forms&sub=submissions&form=form&enquiry=${id}`,
    tag: expect.any(String),
  });
  expect(headers).toMatchObject({ "content-encoding": "aes128gcm", ttl: "86400" });
  expect(publicKey).toBe(added.body.key);
  expect(claims).toMatchObject({
    aud: new URL(service.subscription.endpoint).origin,
    sub: `mailto:${OWNER.email}`,
  });
  await waitForValue(async () => (await findPushMessages(id)).map(({ state }) => state), ["sent"]);
  const { key } = (await owner.get("/api/push")).body;
  expect(key).toBe(added.body.key);
});

test("the API doesn't reveal a device's push URL, and a sent notification's text isn't stored", async () => {
  const { text } = await owner.get("/api/push");
  expect(text).not.toContain(service.subscription.endpoint);
  expect(text).not.toContain(service.subscription.keys.auth);
  const { key } = (await owner.get("/api/push")).body;
  expect((await readStoredTexts(site.config)).some(({ text }) => text.includes(key))).toBe(true);
  const [{ id }] = (await site.store.of(entities.outbox).readKeys({ kind: "push" })) as [any];
  expect(await site.store.of(entities.outbox).get(id)).toMatchObject({ text: "", html: "" });
});

test("a device added twice is stored once, and each owner sees and removes only their own devices", async () => {
  await owner.post("/api/push", service.subscription);
  expect((await readDevices()).length).toBe(1);
  const other = await site.logInAs("admin");
  expect((await other.get("/api/push")).body.devices).toEqual([]);
  const [{ id }] = await readDevices();
  expect((await other.delete(`/api/push/${id}`)).status).toBe(404);
});

test("an owner's 20 newest devices are kept, however many devices other owners have", async () => {
  await owner.post("/api/push", service.subscription);
  const devices = site.store.of(entities.pushDevices);
  const before = devices.read().value;
  const createDevices = (userId: string) =>
    Array.from({ length: 20 }, (_, index) => ({
      ...before[0]!,
      id: `${userId}-${index}`,
      userId,
      endpoint: `https://push.example/${userId}/${index}`,
    }));
  await devices.update((list) => [...list, ...createDevices("another-owner")]);
  const newest = startPushService();
  await owner.post("/api/push", newest.subscription);
  expect(await readDevices()).toHaveLength(2);
  await devices.update((list) => [...list, ...createDevices(before[0]!.userId)]);
  await owner.post("/api/push", newest.subscription);
  expect(await readDevices()).toHaveLength(20);
  await devices.update(() => before);
  await newest.stop();
});

test("a device that no longer exists is removed from the list, without a warning", async () => {
  await owner.post("/api/push", secondService.subscription);
  await waitForValue(() => secondService.received.length, 1);
  expect((await readDevices()).length).toBe(2);
  secondService.respondWith(410);
  const id = await sendEnquiry();
  await waitForValue(async () => (await readDevices()).length, 1);
  await waitForValue(
    async () => (await findPushMessages(id)).map(({ state }) => state).toSorted(),
    ["failed", "sent"],
  );
  expect(await site.context.mail.outbox.countProblems()).toEqual({ waiting: 0, failed: 0 });
});

test("a busy push service is retried later", async () => {
  service.respondWith(503);
  const id = await sendEnquiry();
  await waitForValue(
    async () => (await findPushMessages(id))[0]?.problem,
    "The push service responded with 503.",
  );
  service.respondWith(undefined);
  const before = service.received.length;
  site.advance(2 * 60_000);
  site.context.mail.outbox.sendDue();
  await waitForValue(() => service.received.length, before + 1);
});

test("no notification is sent about an erased person or to a removed device", async () => {
  service.respondWith(503);
  const id = await sendEnquiry();
  // Waits until no message is in flight that could arrive once the service responds with success again.
  await waitForValue(async () => (await findPushMessages(id))[0]?.attempts, 1);
  await owner.post("/api/people/erase", { email: ANSWERS.email });
  expect(await findPushMessages(id)).toEqual([]);
  service.respondWith(undefined);
  const [{ id: device }] = await readDevices();
  expect((await owner.delete(`/api/push/${device}`)).body.devices).toEqual([]);
  const before = service.received.length;
  await sendEnquiry();
  await site.context.mail.queueDueMessages();
  expect(service.received.length).toBe(before);
});

test("a removed owner's device is removed from the list, and gets no notification", async () => {
  // The device exists.
  secondService.respondWith(undefined);
  const leaving = await site.logInAs("admin");
  await leaving.post("/api/push", secondService.subscription);
  const ofLeaver = () =>
    site.store
      .of(entities.pushDevices)
      .read()
      .value.filter(({ endpoint }) => endpoint === secondService.subscription.endpoint);
  const [{ userId }] = ofLeaver() as [any];
  expect((await owner.delete(`/api/users/${userId}`)).status).toBe(204);
  const id = await sendEnquiry();
  await site.context.mail.queueDueMessages();
  expect(ofLeaver()).toEqual([]);
  expect(await findPushMessages(id)).toEqual([]);
});

test("a device with unusable encryption keys is refused", async () => {
  expect(arePushKeysValid({ p256dh: createVapidKeys().publicKey, auth: "A".repeat(22) })).toBe(
    true,
  );
  expect(arePushKeysValid({ p256dh: "AAAA", auth: "A".repeat(22) })).toBe(false);
  const keys = { p256dh: "AAAA", auth: "AAAA" };
  const refused = await owner.post("/api/push", { ...service.subscription, keys });
  expect(refused.status).toBe(422);
});

test("a push key encrypted by another installation is reported with its devices, until they are added again", async () => {
  await owner.post("/api/push", service.subscription);
  const notification = async () =>
    (await owner.get("/api/notices")).body
      .filter(({ code }: { code: string }) => code === "devices_lost")
      .map(({ message }: { message: string }) => message);
  expect(await notification()).toEqual([]);
  const [{ name }] = await readDevices();
  await site.context.mail.settings.update((value) => ({
    ...value,
    pushKeys: { ...value.pushKeys!, sealedPrivateKey: Buffer.alloc(40).toString("base64") },
  }));
  const words = `Their key can't be read, because the site was moved or restored. Turn on notifications again on: ${name}.`;
  expect(await notification()).toEqual([words]);
  // Asking for a new key removes nothing from the list.
  await owner.get("/api/push");
  expect(await notification()).toEqual([words]);
  await owner.post("/api/push", service.subscription);
  expect(await notification()).toEqual([]);
  expect(await readDevices()).toHaveLength(1);
});

test("after 30 notifications in an hour a device gets one more at the end, with the number of further enquiries", async () => {
  const crowded = await startSite({ env: { RATE_LIMIT: "off", PRIVATE_CALLS: "on" } });
  crowded.stopClock();
  crowded.advance(HOUR_MS - (crowded.context.clock() % HOUR_MS));
  await addForm(crowded.store);
  const phone = startPushService();
  expect((await (await crowded.owner()).post("/api/push", phone.subscription)).status).toBe(200);
  // The first notification, that notifications are on, counts too.
  for (let at = 0; at < 32; at++) {
    const answers = { ...ANSWERS, name: `Ann ${"abcdefghij"[at % 10]} ${at}` };
    await crowded.visitor().post("/api/form-submissions", createEnquiry(answers));
  }
  await crowded.context.mail.queueDueMessages();
  await waitForValue(() => phone.received.length, 30);
  crowded.advance(HOUR_MS + 60_000);
  crowded.context.mail.outbox.sendDue();
  await waitForValue(() => phone.received.length, 31);
  expect(phone.received.at(-1)!.notification).toMatchObject({
    title: "More submissions",
    body: "3 more arrived within an hour",
    link: "/admin/dashboard?tab=forms&sub=submissions",
  });
  await crowded.stop();
  await phone.stop();
});

const HOUR_MS = 3_600_000;
