/** Push notifications on the owners' devices (Web Push). The outbox sends them. */
import { cutText } from "../../schema/core/boundedUnicode.ts";
import { assertDefined } from "../../schema/core/assertDefined.ts";
import { entities, type Item } from "../../schema/index.ts";
import { isOwner } from "../../schema/core/roles.ts";
import type { PushDevice } from "../../schema/api/mailResponses.ts";
import { computeCallStart } from "../shared/callTimes.ts";
import { getTimestamp } from "../shared/clock.ts";
import type { HandleOf } from "../storage/store.ts";
import type { OutgoingMessage } from "../shared/message.ts";
import { formatDateTime } from "../shared/formatCall.ts";
import type { OutgoingContext, CreateEnquiryMessages } from "./notificationContext.ts";
import { DeliveryError, NothingToSendError } from "../mail/transports/deliveryError.ts";
import { postExternally } from "./externalRequest.ts";
import type { Transport, StoredMessage, MessageRenderer } from "../mail/queue/messageKinds.ts";
import type { NewMessage } from "../mail/queue/outbox.ts";
import {
  createEnquirySummary,
  SUBMISSION_DELETED_MESSAGE,
  findEmail,
  SUBMISSIONS_PATH,
  findName,
  createEnquiryPath,
  type OwnerMailContext,
} from "../mail/messages/ownerMessages.ts";
import {
  encryptPushMessage,
  createVapidKeys,
  createVapidHeader,
  type VapidKeys,
} from "./pushCrypto.ts";
import { limitMessagesPerHour, findOverflowIds } from "./hourlyLimit.ts";

type Device = Item<"pushDevices">;
type Submission = Item<"formSubmissions">;

const BOOKING_TITLES = { booked: "Call booked", declined: "None of your times work" } as const;

interface PushContent {
  readonly title: string;
  readonly body: string;
  /** The path of the page that a click opens. */
  readonly link: string;
}

interface PushContext extends OutgoingContext {
  readonly listOwnerAddresses: () => readonly string[];
}

export interface OwnerNotificationContext extends OwnerMailContext {
  readonly push: Pick<PushNotifications, "createNotifications">;
}

/** The time in seconds for which a push service stores a notification for a device that is off. */
const PUSH_TTL_S = 24 * 60 * 60;
const MAX_DEVICES_PER_OWNER = 20;

export class PushNotifications {
  readonly transport: Transport;
  readonly createMessages: CreateEnquiryMessages;
  readonly #context: PushContext;
  readonly #devices: HandleOf<typeof entities.pushDevices>;

  constructor(context: PushContext) {
    this.#context = context;
    this.#devices = context.store.of(entities.pushDevices);
    this.transport = {
      createSender: () => (context.isSending ? (message) => this.#deliver(message) : undefined),
      formatRecipientName: (id) => this.#findDevice(id)?.name ?? "a device",
    };
    this.createMessages = limitMessagesPerHour(context, {
      kind: "push",
      findRecipients: () => this.#findReachableDevices().map(({ id }) => id),
      // An erasure finds messages about this person by the sender's address.
      createMessage: ({ questions }, to) => ({
        ...createPushMessage(to, "New submission"),
        replyTo: findEmail(questions),
      }),
      createOverflowMessage: () => ({ kind: "push", subject: "More submissions" }),
    });
  }

  get canUsePrivateNetwork(): boolean {
    return this.#context.canUsePrivateNetwork;
  }

  /** Returns the site's public key, which browsers need to subscribe. The first call creates the keys. */
  async getPublicKey(): Promise<string> {
    return (await this.#getKeys()).publicKey;
  }

  listDevices(userId: string): PushDevice[] {
    return this.#readDevices()
      .filter((each) => each.userId === userId)
      .map(toDeviceResponse);
  }

  /** Adds a device, or updates its keys, and sends it a notification that notifications are on. */
  async addDevice(device: Omit<Device, "id" | "createdAt">): Promise<void> {
    const id = Bun.randomUUIDv7();
    const createdAt = getTimestamp(this.#context.clock);
    await this.#devices.update((list) => {
      const others = list.filter(({ endpoint }) => endpoint !== device.endpoint);
      const devicesOfUser = others
        .filter(({ userId, key }) => userId === device.userId && key === device.key)
        .slice(1 - MAX_DEVICES_PER_OWNER);
      const devicesOfOthers = others.filter(({ userId }) => userId !== device.userId);
      return [...devicesOfOthers, ...devicesOfUser, { ...device, id, createdAt }];
    });
    await this.#context.outbox.add(createPushMessage(id, WELCOME_CONTENT.title));
  }

  async removeDevice(userId: string, id: string): Promise<boolean> {
    let wasRemoved = false;
    await this.#devices.update((list) => {
      wasRemoved = list.some((each) => each.id === id && each.userId === userId);
      return list.filter((each) => each.id !== id || each.userId !== userId);
    });
    return wasRemoved;
  }

  /** Removes devices of deleted users and of former owners. */
  async removeStaleDevices(): Promise<void> {
    if (!this.#readDevices().every(this.#belongsToOwner))
      await this.#devices.update((list) => list.filter(this.#belongsToOwner));
  }

  /** Returns the names of devices that get no notifications until they are added again. */
  listLostDeviceNames(): readonly string[] {
    return this.#readDevices()
      .filter((device) => this.#belongsToOwner(device) && !this.#usesCurrentKey(device))
      .map(({ name }) => name);
  }

  /** Creates notifications for all devices about anything but an enquiry. `about` identifies their subject. */
  createNotifications(content: PushContent, about: string): readonly NewMessage[] {
    const text = shortenContent(content);
    return this.#findReachableDevices().map(({ id }) => ({
      ...createPushMessage(id, content.title),
      text,
      about,
    }));
  }

  /** Creates notifications that the visitor chose one of the suggested times, or none: only once for each reply. */
  readonly createBookingNotifications = (
    outcome: keyof typeof BOOKING_TITLES,
    submission: Submission,
    replyId: string,
  ): NewMessage[] =>
    this.#findReachableDevices().map(({ id }) => ({
      ...createPushMessage(id, BOOKING_TITLES[outcome]),
      replyTo: findEmail(submission.questions),
      about: `${outcome} ${replyId} ${submission.id}`,
      isUnique: true,
    }));

  readonly #readDevices = () => this.#devices.read().value;
  readonly #findDevice = (id: string) => this.#readDevices().find((each) => each.id === id);

  /** Renders a notification when it is sent, so that the outbox contains nothing that a visitor typed. */
  readonly renderNotification: MessageRenderer = async (message) => {
    const { id, subject, text } = message;
    const content = text === "" ? await this.#readContent(message) : JSON.parse(text);
    return { subject, text: JSON.stringify({ ...content, tag: id }), html: "" };
  };

  async #readContent(message: StoredMessage): Promise<PushContent> {
    const { about, subject } = message;
    if (about === null) return WELCOME_CONTENT;
    const overflowIds = await findOverflowIds(this.#context.store, message);
    if (overflowIds === undefined) return this.#createSubmissionContent(about, subject);
    if (overflowIds.size === 0) throw new NothingToSendError(SUBMISSION_DELETED_MESSAGE);
    return {
      title: subject,
      body: `${overflowIds.size} more arrived within an hour`,
      link: SUBMISSIONS_PATH,
    };
  }

  /** `about` ends with the enquiry's id. */
  async #createSubmissionContent(about: string, title: string) {
    const { store } = this.#context;
    const submission = await store.of(entities.formSubmissions).get(about.replace(/^.* /, ""));
    if (!submission) throw new NothingToSendError(SUBMISSION_DELETED_MESSAGE);
    const { formName, questions } = createEnquirySummary(store, submission);
    const senderName = findName(questions) ?? findEmail(questions) ?? "Someone";
    const { booked } = submission;
    const detail =
      title === BOOKING_TITLES.booked && booked
        ? formatDateTime(computeCallStart(booked), booked.zone, "en", this.#context.clock())
        : formName;
    return { title, body: `${senderName}, ${detail}`, link: createEnquiryPath(submission) };
  }

  async #deliver({ to, text }: OutgoingMessage): Promise<void> {
    const device = this.#findDevice(to);
    if (!device || !this.#belongsToOwner(device) || !this.#usesCurrentKey(device))
      throw new NothingToSendError(DEVICE_REMOVED_MESSAGE);
    const url = new URL(device.endpoint);
    const { clock, stopSignal, getBranding, listOwnerAddresses } = this.#context;
    const [ownerAddress = "owner@localhost"] = listOwnerAddresses();
    const { siteUrl } = getBranding();
    const contact = siteUrl?.startsWith("https:") ? siteUrl : `mailto:${ownerAddress}`;
    const { status, responseText } = await postExternally({
      url,
      canUsePrivateNetwork: this.canUsePrivateNetwork,
      stopSignal,
      body: encryptPushMessage(device, text),
      headers: {
        authorization: createVapidHeader(await this.#getKeys(), url, contact, clock()),
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: String(PUSH_TTL_S),
        urgency: "high",
      },
    });
    if (status >= 200 && status < 300) return;
    // The device has unsubscribed (RFC 8030, 7.3).
    if (status === 404 || status === 410) {
      await this.#devices.update((list) => list.filter(({ id }) => id !== to));
      throw new DeliveryError("recipient", DEVICE_EXPIRED_MESSAGE, responseText || null, true);
    }
    const isTemporary = status === 429 || status >= 500;
    const message = `The push service responded with ${status}.`;
    throw new DeliveryError("recipient", message, responseText || null, !isTemporary);
  }

  /** Devices of deleted users and of former owners get no notifications. */
  readonly #belongsToOwner = ({ userId }: Device) =>
    isOwner(this.#context.store.of(entities.users).read().value, userId);

  /** Returns the site's keys. If new ones are created, devices must be added again. */
  async #getKeys(): Promise<VapidKeys> {
    const existing = this.#unsealVapidKeys();
    if (existing) return existing;
    const { publicKey, privateKey } = createVapidKeys();
    const pushKeys = { publicKey, sealedPrivateKey: this.#context.seal.seal(privateKey) };
    await this.#context.settings.update((value) =>
      this.#unsealVapidKeys() ? value : { ...value, pushKeys },
    );
    return assertDefined(this.#unsealVapidKeys(), "key for push messages");
  }

  /** Devices that subscribed with an earlier key can't get notifications. */
  readonly #usesCurrentKey = ({ key }: Device) => key === this.#unsealVapidKeys()?.publicKey;

  #unsealVapidKeys(): VapidKeys | undefined {
    const { pushKeys } = this.#context.settings.read().value;
    const privateKey = pushKeys && this.#context.seal.unseal(pushKeys.sealedPrivateKey);
    return privateKey ? { publicKey: pushKeys.publicKey, privateKey } : undefined;
  }

  readonly #findReachableDevices = () =>
    this.#readDevices().filter((each) => this.#belongsToOwner(each) && this.#usesCurrentKey(each));
}

const createPushMessage = (to: string, subject: string) =>
  ({ kind: "push", to, subject, text: "", html: "" }) as const;

/** Shortens the texts, since phones show only the beginning. */
const shortenContent = ({ title, body, link }: PushContent) =>
  JSON.stringify({ title: cutText(title, 100), body: cutText(body, 100), link });

const WELCOME_CONTENT = {
  title: "Notifications are on",
  body: "You'll be notified of new submissions here.",
  link: SUBMISSIONS_PATH,
} as const;

/** Returns a device for the dashboard. A browser recognizes itself by the hash of the endpoint, which is secret. */
const toDeviceResponse = ({ id, name, createdAt, endpoint }: Device): PushDevice => ({
  id,
  name,
  createdAt: createdAt ?? "",
  mark: new Bun.CryptoHasher("sha256").update(endpoint).digest("hex"),
});

const DEVICE_REMOVED_MESSAGE = "This device no longer gets notifications.";
const DEVICE_EXPIRED_MESSAGE = "The device no longer accepts notifications, so it was removed.";
