/** Messages to users about their account. */
import pLimit from "p-limit";
import { entities, type Item } from "../../../schema/index.ts";
import { describeBrowser, maskAddress, type Visitor } from "../../http/visitor.ts";
import type { MessageBranding } from "../../shared/message.ts";
import { HOUR, MINUTE } from "../../shared/time.ts";
import { DeliveryError } from "../carriers/deliveryError.ts";
import type { StoredMessage } from "../queue/kinds.ts";
import {
  buttonBlock,
  type OwnerMailContext,
  smallTextBlock,
  textBlock,
  renderOwnerMessage,
} from "./ownerMessages.ts";
import { findItem } from "../../storage/store.ts";

type User = Item<"users">;

interface AccountMessagesContext extends OwnerMailContext {
  /** False with RATE_LIMIT=off. */
  readonly limited: boolean;
  readonly passwordLink: {
    /** The path of a link that is valid from `at` on, in milliseconds since 1970. */
    pathFor(user: User, at: number): string;
    /** Its validity, in milliseconds. */
    readonly validForMs: number;
  };
}

export type AccountMessages = ReturnType<typeof createAccountMessages>;

/** Per person. */
const MAX_LINKS_PER_HOUR = 3;
/** After this, another link is sent anyway, so that flooding never leaves a person without a valid one. */
const REPEAT_AFTER_MS = 25 * MINUTE;

export function createAccountMessages(context: AccountMessagesContext) {
  const { store, clock, outbox, stationery, isSetUp, limited, passwordLink } = context;
  const isPossible = () => isSetUp() && stationery().siteUrl !== undefined;
  const passwordMessage = (user: User, at: number) => {
    const site = stationery();
    return renderOwnerMessage(
      site,
      "Choose a new password",
      [
        textBlock(`Someone, probably you, asked to reset ${user.username}'s password.`),
        buttonBlock("Choose a new password", site.siteUrl + passwordLink.pathFor(user, at)),
        smallTextBlock(
          `The link works once, until ${formatMessageTime(at + passwordLink.validForMs)}.`,
        ),
        smallTextBlock("If it wasn't you, ignore this email. Your password won't change."),
      ],
      `You're receiving this because this address belongs to ${user.username} on ${site.siteName}'s site.`,
    );
  };
  // One after another, so that each is counted before the next.
  const inTurn = pLimit(1);
  async function send({ id, email: to }: User): Promise<void> {
    const within = async (time: number) =>
      (await outbox.findRecipientsSince("password", clock() - time)).filter((each) => each === to)
        .length;
    const isOverLimit = limited && (await within(HOUR)) >= MAX_LINKS_PER_HOUR;
    if (isOverLimit && (await within(REPEAT_AFTER_MS)) > 0) return;
    const subject = `Choose a new password · ${stationery().siteName}`;
    await outbox.add({ kind: "password", to, subject, text: "", html: "", about: id });
  }
  async function tellOfLogin({ id, username, email: to }: User, visitor: Visitor): Promise<void> {
    const about = `login ${id}`;
    const createdAt = { from: new Date(clock() - HOUR).toISOString() };
    const sent = await store.of(entities.outbox).keys({ kind: "notice", about, createdAt });
    if (!isSetUp() || sent.length >= MAX_LINKS_PER_HOUR) return;
    const site = stationery();
    const message = createLoginMessage(site, username, visitor, clock());
    await outbox.add({ ...message, kind: "notice", to, about });
  }
  return {
    /** The message about a forgotten password; its link is made on sending, so none is ever stored. */
    write({ about, createdAt }: Pick<StoredMessage, "about" | "createdAt">) {
      const user = findItem(store, entities.users, about);
      const at = Date.parse(createdAt ?? "");
      if (!user || !isPossible() || clock() >= at + passwordLink.validForMs)
        throw new DeliveryError("recipient", LINK_EXPIRED_MESSAGE, null, true);
      return passwordMessage(user, at);
    },
    /** Mail is set up, and so is the site's own address, for links. */
    isPossible,
    sendLink: (user: User) => inTurn(() => send(user)),
    notifyNewLogin: (user: User, visitor: Visitor) => inTurn(() => tellOfLogin(user, visitor)),
    async notifyPasswordChanged({ username, email: to }: User): Promise<void> {
      const message = createPasswordChangedMessage(stationery(), username);
      await outbox.add({ ...message, kind: "notice", to });
    },
  };
}

function createLoginMessage(
  site: MessageBranding,
  username: string,
  visitor: Visitor,
  now: number,
) {
  const browser = describeBrowser(visitor.userAgent);
  const blocks = [
    textBlock(
      `Someone logged in as ${username} from a new browser: ${browser}, at ${formatMessageTime(now)}, from the network ${maskAddress(visitor.address)}.`,
    ),
    textBlock(
      "If it was you, you don't need to do anything. If it wasn't, change your password. That logs out all other devices.",
    ),
    ...(site.siteUrl === undefined
      ? []
      : [buttonBlock("Open Security", `${site.siteUrl}/admin/dashboard?account=security`)]),
  ];
  const foot = `You're receiving this because this address belongs to ${username} on ${site.siteName}'s site.`;
  return renderOwnerMessage(site, "New login", blocks, foot);
}

function createPasswordChangedMessage(site: MessageBranding, username: string) {
  const blocks = [
    textBlock(`The password of ${username} was changed with a link sent to this address.`),
    textBlock(
      "If it wasn't you, someone else can read your email. Change the password of your email account, then choose a new one for the site.",
    ),
  ];
  const foot = `You're receiving this because this address belongs to ${username} on ${site.siteName}'s site.`;
  return renderOwnerMessage(site, "Your password was changed", blocks, foot);
}

const LINK_EXPIRED_MESSAGE = "Its link expired before it could be sent.";

const formatMessageTime = (instant: number) =>
  `${new Date(instant).toISOString().slice(11, 16)} UTC`;
