/** Notices for the owner about mail, the webhook and devices. */
import { formatCount } from "../../../schema/core/formatNumber.ts";
import type { Item } from "../../../schema/index.ts";
import type { Notice } from "../../shared/notice.ts";
import type { Seal } from "../../shared/secrets.ts";
import type { MailProblemCounts } from "../queue/outbox.ts";

type Settings = Item<"mailSettings">;

const mailScreen = { screen: "mail", label: "Open email settings" } as const;

/** Creates notices about problems with mail. `isSecretLost` is true if the account's password can't be decrypted. */
export function createMailNotices(
  { waiting, failed }: MailProblemCounts,
  isSecretLost: boolean,
): Notice[] {
  if (isSecretLost)
    return [
      {
        code: "mail_secret_lost",
        problem: "mail",
        title: "Email is paused",
        message:
          "The email password can't be read, because the site was moved or restored. Enter it again: Account menu > Email settings.",
        opens: mailScreen,
      },
    ];
  if (waiting + failed === 0) return [];
  const verb = waiting === 1 ? "has" : "have";
  const sentences = [
    waiting > 0 && `${formatCount(waiting, "email")} ${verb} been waiting for more than an hour.`,
    failed > 0 && `${formatCount(failed, "email")} couldn't be delivered.`,
  ];
  return [
    {
      code: "mail_trouble",
      // Failed messages alone aren't reported to uptime monitors, since the cause may be a wrong recipient's address.
      ...(waiting > 0 && { problem: "mail" }),
      title: "There's a problem with email",
      message: sentences.filter(Boolean).join(" "),
      opens: mailScreen,
    },
  ];
}

/** Creates notices about secrets encrypted with another site's key. A notice ends once its secret is set again. */
export function createLostSecretNotices(
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
      opens: mailScreen,
    });
  if (devices.length > 0)
    notices.push({
      code: "devices_lost",
      title: "Some devices no longer get notifications",
      message: `Their key can't be read, because the site was moved or restored. Turn on notifications again on: ${devices.join(", ")}.`,
      opens: mailScreen,
    });
  return notices;
}
