/** Notices for the owner about mail, webhook and devices. */
import type { Item } from "../../../schema/index.ts";
import type { Notice } from "../../shared/notice.ts";
import type { Seal } from "../../shared/seal.ts";
import type { Troubles } from "../queue/outbox.ts";

type Settings = Item<"mailSettings">;

const opens = { screen: "mail", label: "Open email settings" } as const;

/** Mail can't be sent, or doesn't arrive; `isSecretLost`: nothing opens the account's sealed password. */
export function mailNotices({ waiting, failed }: Troubles, isSecretLost: boolean): Notice[] {
  if (isSecretLost)
    return [
      {
        code: "mail_secret_lost",
        problem: "mail",
        title: "Email is paused",
        message:
          "The email password can't be read, because the site was moved or restored. Enter it again: Account menu > Email settings.",
        opens,
      },
    ];
  if (waiting + failed === 0) return [];
  const message = [
    ...(waiting > 0
      ? [
          `${messages(waiting)} ${waiting === 1 ? "has" : "have"} been waiting for more than an hour.`,
        ]
      : []),
    ...(failed > 0 ? [`${messages(failed)} couldn't be delivered.`] : []),
  ].join(" ");
  const title = "There's a problem with email";
  // An address that refuses mail is no problem of the site, and no reason for an alarm.
  return [{ code: "mail_trouble", ...(waiting > 0 && { problem: "mail" }), title, message, opens }];
}

/** Notices about values sealed with another secret; each disappears once its value is set again. */
export function lostSecretNotices(
  webhook: Settings["webhook"],
  seal: Seal,
  devices: readonly string[],
): Notice[] {
  const notices: Notice[] = [];
  if (webhook && seal.unseal(webhook.sealedSecret) === undefined)
    notices.push({
      code: "webhook_secret_lost",
      title: "The webhook is paused",
      message:
        "Its secret can't be read, because the site was moved or restored. Create a new one under Account menu > Email settings, and enter it in the app that receives the webhook.",
      opens,
    });
  if (devices.length > 0)
    notices.push({
      code: "devices_lost",
      title: "Some devices no longer get notifications",
      message: `Their key can't be read, because the site was moved or restored. Turn on notifications again on: ${devices.join(", ")}.`,
      opens,
    });
  return notices;
}

const messages = (count: number) => (count === 1 ? "1 email" : `${count} emails`);
