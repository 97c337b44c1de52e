/** Messages to users about their account. */
import pLimit from "p-limit";
import { entities, type Item } from "../../../schema/index.ts";
import { describeBrowser, maskAddress, type Visitor } from "../../http/visitor.ts";
import type { MessageBlock, MessageBranding } from "../../shared/message.ts";
import { HOUR, MINUTE } from "../../shared/time.ts";
import { DeliveryError, NothingToSendError } from "../transports/deliveryError.ts";
import type { StoredMessage } from "../queue/messageKinds.ts";
import {
  createButtonBlock,
  createDashboardButtonBlocks,
  type OwnerMailContext,
  createSmallTextBlock,
  createTextBlock,
  renderOwnerMessage,
} from "./ownerMessages.ts";
import { findItem } from "../../storage/store.ts";

type User = Item<"users">;

interface AccountMessagesContext extends OwnerMailContext {
  /** False if RATE_LIMIT is off. */
  readonly isRateLimited: boolean;
  readonly passwordLinks: {
    /** Returns the path of a link that is valid from `at` on (milliseconds since 1970). */
    createPath(user: User, at: number): string;
    readonly validForMs: number;
  };
}

export type AccountMessages = ReturnType<typeof createAccountMessages>;

/** The limit per user for emailed links to choose a password and, separately, for notices of new logins. */
const MAX_MESSAGES_PER_HOUR = 3;
/** The limit ends this long after the last link, so that a flood of requests leaves no user without a link. */
const EXTRA_LINK_AFTER_MS = 25 * MINUTE;

export function createAccountMessages(context: AccountMessagesContext) {
  const { store, clock, outbox, getBranding, isSetUp, isRateLimited, passwordLinks } = context;
  const canSendLinks = () => isSetUp() && getBranding().siteUrl !== undefined;
  const createPasswordMessage = (user: User, requestedAt: number) => {
    const site = getBranding();
    const path = passwordLinks.createPath(user, requestedAt);
    const blocks = [
      createTextBlock(`Someone, probably you, asked to reset ${user.username}'s password.`),
      createButtonBlock("Choose a new password", site.siteUrl + path),
      createSmallTextBlock(
        `The link works once, until ${formatMessageTime(requestedAt + passwordLinks.validForMs)}.`,
      ),
      createSmallTextBlock("If it wasn't you, ignore this email. Your password won't change."),
    ];
    return renderAccountMessage(site, user, "Choose a new password", blocks);
  };
  // One message is queued at a time, so that the next check of the limit counts it.
  const limitConcurrency = pLimit(1);
  async function queueLink({ id, email: to }: User): Promise<void> {
    const countLinksWithin = async (durationMs: number) => {
      const recipients = await outbox.findRecipientsSince("password", clock() - durationMs);
      return recipients.filter((each) => each === to).length;
    };
    const isOverLimit = isRateLimited && (await countLinksWithin(HOUR)) >= MAX_MESSAGES_PER_HOUR;
    if (isOverLimit && (await countLinksWithin(EXTRA_LINK_AFTER_MS)) > 0) return;
    const subject = `Choose a new password · ${getBranding().siteName}`;
    await outbox.add({ kind: "password", to, subject, text: "", html: "", about: id });
  }
  async function notifyLogin(user: User, visitor: Visitor): Promise<void> {
    const about = `login ${user.id}`;
    const createdAt = { from: new Date(clock() - HOUR).toISOString() };
    const where = { kind: "notice", about, createdAt } as const;
    const recentNotices = await store.of(entities.outbox).readKeys(where);
    if (!isSetUp() || recentNotices.length >= MAX_MESSAGES_PER_HOUR) return;
    const message = createLoginMessage(getBranding(), user, visitor, clock());
    await outbox.add({ ...message, kind: "notice", to: user.email, about });
  }
  return {
    /** Renders the message about a forgotten password when it is sent, so that its link is never stored. */
    renderMessage({ about, createdAt }: Pick<StoredMessage, "about" | "createdAt">) {
      const user = findItem(store, entities.users, about);
      const requestedAt = Date.parse(createdAt ?? "");
      if (!user) throw new NothingToSendError(USER_DELETED_MESSAGE);
      if (!canSendLinks()) throw new DeliveryError("recipient", NO_SITE_URL_MESSAGE, null, true);
      if (clock() >= requestedAt + passwordLinks.validForMs)
        throw new DeliveryError("recipient", LINK_EXPIRED_MESSAGE, null, true);
      return createPasswordMessage(user, requestedAt);
    },
    canSendLinks,
    sendLink: (user: User) => limitConcurrency(() => queueLink(user)),
    notifyNewLogin: (user: User, visitor: Visitor) =>
      limitConcurrency(() => notifyLogin(user, visitor)),
    async notifyPasswordChanged(user: User): Promise<void> {
      const message = createPasswordChangedMessage(getBranding(), user);
      await outbox.add({ ...message, kind: "notice", to: user.email });
    },
  };
}

function createLoginMessage(site: MessageBranding, user: User, visitor: Visitor, now: number) {
  const browser = describeBrowser(visitor.userAgent);
  const blocks = [
    createTextBlock(
      `Someone logged in as ${user.username} from a new browser: ${browser}, at ${formatMessageTime(now)}, from the network ${maskAddress(visitor.address)}.`,
    ),
    createTextBlock(
      "If it was you, you don't need to do anything. If it wasn't, change your password. That logs out all other devices.",
    ),
    ...createDashboardButtonBlocks(site, "/admin/dashboard?account=security", "Open Security"),
  ];
  return renderAccountMessage(site, user, "New login", blocks);
}

function createPasswordChangedMessage(site: MessageBranding, user: User) {
  const blocks = [
    createTextBlock(
      `The password for ${user.username} was changed with a link sent to this address.`,
    ),
    createTextBlock(
      "If it wasn't you, someone else can read your email. Change the password of your email account, then choose a new one for the site.",
    ),
  ];
  return renderAccountMessage(site, user, "Your password was changed", blocks);
}

const renderAccountMessage = (
  site: MessageBranding,
  { username }: User,
  title: string,
  blocks: readonly MessageBlock[],
) =>
  renderOwnerMessage(
    site,
    title,
    blocks,
    `You're receiving this because this address belongs to ${username} on ${site.siteName}'s site.`,
  );

const USER_DELETED_MESSAGE = "The user was deleted before this message was sent.";
const NO_SITE_URL_MESSAGE = "The link needs the site's public URL. Set SITE_URL on the server.";
const LINK_EXPIRED_MESSAGE = "The link expired before this message could be sent.";

const formatMessageTime = (instant: number) =>
  `${new Date(instant).toISOString().slice(11, 16)} UTC`;
