/** New enquiries on the owners' devices: web push, through the mail's outbox. */
import { present } from "../../../schema/present.ts";
import { entities, type Item } from "../../../schema/index.ts";
import { isOwner } from "../../../schema/roles.ts";
import type { PushDevice } from "../../../schema/mailAnswers.ts";
import { callStart } from "../../shared/callTimes.ts";
import type { OutgoingMessage } from "../../shared/message.ts";
import { formatDateTime } from "./formatCall.ts";
import { type CarrierContext, type EnquiryListener, GONE, enquirySummary } from "./enquiryNews.ts";
import { MailFault } from "../carriers/fault.ts";
import { callOutside } from "../carriers/outsideCall.ts";
import type { Carrier, Writer } from "../queue/kinds.ts";
import type { NewMessage } from "../queue/outbox.ts";
import { addressIn, FORMS, nameIn, pathOf } from "./ownerMessages.ts";
import { encryptedFor, newVapidKeys, vapidHeader, type VapidKeys } from "../carriers/pushCrypto.ts";
import { HOUR } from "../../shared/time.ts";

type Device = Item<"pushDevices">;
type Submission = Item<"formSubmissions">;

/** A time was chosen, or none suits. */
type TimesNews = "booked" | "declined";

const TIMES_NEWS = { booked: "Call booked", declined: "None of your times work" } as const;

export interface Push extends EnquiryListener {
  readonly carrier: Carrier;
  /** A device's notification. */
  readonly write: Writer;
  /** Notifications about an answer to suggested times, once per reply; doesn't store them. */
  ofTimes(what: TimesNews, submission: Submission, reply: string): NewMessage[];
  /** The public key of the site, which browsers subscribe with; made on the first call. */
  key(): Promise<string>;
  /** Notifies every device of something other than an enquiry; `about`: the id of its subject. */
  notify(content: PushContent, about: string): readonly NewMessage[];
  /** One owner's devices. */
  devices(userId: string): PushDevice[];
  /** Adds a device or updates its keys, and notifies it. */
  add(device: Omit<Device, "id" | "createdAt">): Promise<void>;
  remove(userId: string, id: string): Promise<boolean>;
  /** Names of devices that can't be notified until they are added again. */
  lost(): readonly string[];
  /** Removes devices whose owner is no longer one. */
  look(): Promise<void>;
  readonly mayBeInside: boolean;
}

/** A notification; `link` is where a press leads. */
interface PushContent {
  readonly title: string;
  readonly body: string;
  readonly link: string;
}

interface PushContext extends CarrierContext {
  readonly owners: () => readonly string[];
}

/** How long a push service keeps messages for a device that is off, in seconds. */
const KEPT_THERE = 24 * 60 * 60;
/** Per owner. */
const MOST = 20;

export function pushDevices(context: PushContext): Push {
  const { store, clock, settings, outbox, seal, stationery, owners, sends, mayBeInside, ended } =
    context;
  const devices = store.of(entities.pushDevices);
  const deviceOf = (id: string) => devices.read().value.find((each) => each.id === id);

  // Written on sending, so that nothing a visitor typed is stored here too.
  const write: Writer = async ({ id, about, subject, text }) => {
    const content: PushContent =
      text !== "" ? JSON.parse(text) : about === null ? WELCOME : await newsContent(about, subject);
    return { subject, text: JSON.stringify({ ...content, tag: id }), html: "" };
  };

  /** `about` ends with the enquiry's id. */
  async function newsContent(about: string, title: string) {
    const submission = await store.of(entities.formSubmissions).get(about.replace(/^.* /, ""));
    if (!submission) throw new MailFault("recipient", GONE, null, true);
    const { formName, questions } = enquirySummary(store, submission);
    const who = (nameIn(questions) ?? addressIn(questions) ?? "Someone").slice(0, 100);
    const { booked } = submission;
    const time =
      title === TIMES_NEWS.booked && booked
        ? formatDateTime(callStart(booked), booked.zone, "en", clock())
        : formName;
    return { title, body: `${who}, ${time}`, link: pathOf(submission) };
  }

  async function deliver({ to, text }: OutgoingMessage): Promise<void> {
    const device = deviceOf(to);
    if (!device || !isOwners(device) || !knowsKey(device))
      throw new MailFault("recipient", ENDED, null, true);
    const url = new URL(device.endpoint);
    const [owner = "owner@localhost"] = owners();
    const { siteUrl } = stationery();
    const subject = siteUrl?.startsWith("https:") ? siteUrl : `mailto:${owner}`;
    const { status, said } = await callOutside({
      url,
      mayBeInside,
      ended,
      body: encryptedFor(device, text),
      headers: {
        authorization: vapidHeader(await keys(), url, subject, clock()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(KEPT_THERE),
        urgency: "high",
      },
    });
    if (status >= 200 && status < 300) return;
    // RFC 8030, 7.3: the subscription is gone for good.
    if (status === 404 || status === 410) {
      await devices.update((list) => list.filter(({ id }) => id !== to));
      throw new MailFault("recipient", REMOVED, said || null, true);
    }
    const isLater = status === 429 || status >= 500;
    throw new MailFault(
      "recipient",
      `The push service responded with ${status}.`,
      said || null,
      !isLater,
    );
  }

  /** Devices of removed users or former owners get nothing more. */
  const isOwners = ({ userId }: Device) => isOwner(store.of(entities.users).read().value, userId);

  /** Made once, and again if unreadable: earlier devices don't know the new ones. */
  async function keys(): Promise<VapidKeys> {
    const now = opened();
    if (now) return now;
    const made = newVapidKeys();
    const pushKeys = { publicKey: made.publicKey, sealedPrivateKey: seal.close(made.privateKey) };
    await settings.update((value) => (opened() ? value : { ...value, pushKeys }));
    return present(opened(), "key for push messages");
  }

  /** Whether a device subscribed with the site's current key, so that it can be notified. */
  const knowsKey = ({ key }: Device) => key === opened()?.publicKey;

  function opened(): VapidKeys | undefined {
    const { pushKeys } = settings.read().value;
    const privateKey = pushKeys && seal.open(pushKeys.sealedPrivateKey);
    return privateKey ? { publicKey: pushKeys.publicKey, privateKey } : undefined;
  }

  /** Devices that can be notified now. */
  const reachable = () => devices.read().value.filter((each) => isOwners(each) && knowsKey(each));

  return {
    carrier: {
      send: () => (sends ? deliver : undefined),
      pace: () => 0,
      nameOf: (id) => deviceOf(id)?.name ?? "a device",
    },
    write,
    mayBeInside,
    key: async () => (await keys()).publicKey,
    devices: (userId) =>
      devices
        .read()
        .value.filter((each) => each.userId === userId)
        .map(shown),
    async add(device) {
      const id = Bun.randomUUIDv7();
      await devices.update((list) => [
        ...list
          .filter(({ endpoint }) => endpoint !== device.endpoint)
          .filter((each) => each.userId !== device.userId || each.key === device.key)
          .filter((each, at, all) => each.userId !== device.userId || all.length - at < MOST),
        { ...device, id, createdAt: new Date(clock()).toISOString() },
      ]);
      await outbox.add(message(id, WELCOME.title));
    },
    async remove(userId, id) {
      let isThere = false;
      await devices.update((list) => {
        isThere = list.some((each) => each.id === id && each.userId === userId);
        return list.filter((each) => each.id !== id || each.userId !== userId);
      });
      return isThere;
    },
    async look() {
      if (!devices.read().value.every(isOwners))
        await devices.update((list) => list.filter(isOwners));
    },
    lost: () =>
      devices
        .read()
        .value.filter((device) => isOwners(device) && !knowsKey(device))
        .map(({ name }) => name),
    notify: (content, about) =>
      devices
        .read()
        .value.filter((device) => isOwners(device) && knowsKey(device))
        .map(({ id }) => ({ ...message(id, content.title), text: shortened(content), about })),
    // Older enquiries are no news on a phone.
    since: () => (devices.read().value.length > 0 ? clock() - HOUR : undefined),
    messages(submission) {
      const known = reachable().filter(
        (device) =>
          (device.createdAt ?? "") <= (submission.createdAt ?? "") &&
          !outbox.knows(submission.id, device.id),
      );
      return known.map(({ id }) => ({
        ...message(id, "New submission"),
        // Erasures find messages about a person by it.
        replyTo: addressIn(submission.questions),
        about: submission.id,
        isOnce: true,
      }));
    },
    ofTimes: (what, submission, reply) =>
      reachable().map(({ id }) => ({
        ...message(id, TIMES_NEWS[what]),
        replyTo: addressIn(submission.questions),
        about: `${what} ${reply} ${submission.id}`,
        isOnce: true,
      })),
  };
}

const message = (to: string, subject: string) =>
  ({ kind: "push", to, subject, text: "", html: "" }) as const;

/** A phone shows no more of it. */
const shortened = ({ title, body, link }: PushContent) =>
  JSON.stringify({ title: title.slice(0, 100), body: body.slice(0, 100), link });

const WELCOME = {
  title: "Notifications are on",
  body: "You'll be notified of new submissions here.",
  link: FORMS,
} as const;

/** Only its browser needs the endpoint; a hash of it lets that browser recognize its own entry. */
const shown = ({ id, name, createdAt, endpoint }: Device): PushDevice => ({
  id,
  name,
  createdAt: createdAt ?? "",
  mark: new Bun.CryptoHasher("sha256").update(endpoint).digest("hex"),
});

const ENDED = "The device was removed, so it wasn't notified.";
const REMOVED = "The device no longer accepts notifications, so it was removed.";
