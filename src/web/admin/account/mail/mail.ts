/** The server's routes for the site's mail. */
import type { MailAccount, ReplyTemplate } from "../../../../schema/people/mail.ts";
import type {
  DomainRecord,
  MailState,
  MailTest,
  WebhookSet,
  WebhookTest,
} from "../../../../schema/api/mailResponses.ts";
import { api, queryClient } from "../../data/client.ts";
import { refetch, setCached, resource, useResource } from "../../data/resource.ts";

/** The interval at which waiting messages are read again, in milliseconds. */
const POLL_INTERVAL_MS = 3000;

const mail = resource<MailState>("/api/mail", {
  every: ({ messages }) => messages.some(({ state }) => state === "waiting") && POLL_INTERVAL_MS,
});

export const useMail = () => useResource(mail);

/** Changes to the mail settings; omitted ones are unchanged. */
interface MailChange {
  readonly preset?: string;
  readonly account?: MailAccount;
  readonly secret?: string;
  readonly fromName?: string;
  readonly fromAddress?: string;
  readonly notify?: MailState["notify"];
  readonly notifyTo?: string | null;
  readonly selfTest?: boolean;
  readonly signature?: string;
  readonly replyTemplates?: readonly ReplyTemplate[];
}

/** The messages about it. */
export const MAIL_SAVED = {
  success: "Email settings saved",
  failure: "Couldn't save the email settings",
} as const;

/** Throws CallFailed, with messages by field. */
export async function saveMail(change: MailChange): Promise<void> {
  updateCache(await api.post<MailState>("/api/mail", change));
}

/** Turns mail off. Throws CallFailed. */
export async function switchMailOff(): Promise<void> {
  updateCache(await api.delete<MailState>("/api/mail"));
}

function updateCache(state: MailState): void {
  setCached(mail, state);
  void refetch("/api/notices");
}

/** Sends a test to the user; the result is returned, not thrown. */
export const testMail = () => api.post<MailTest>("/api/mail/test", {});

/** Retries a message now. Throws CallFailed. */
export async function retryMessage(id: string): Promise<void> {
  await api.post(`/api/mail/messages/${id}/retry`);
  void refetch("/api/notices");
  await refetch("/api/mail");
}

/** The records of the sender's domain, queried on request. */
export const useDomain = () => useResource(resource<DomainRecord[]>(DOMAIN));

/** Looks them up again. Throws CallFailed. */
export const checkDomain = () => queryClient.fetchQuery(resource<DomainRecord[]>(DOMAIN));

const DOMAIN = "/api/mail/domain";

/** Updates the webhook in the cache; returns the secret if there is a new one. */
function updateWebhook({ webhook, secret }: WebhookSet) {
  queryClient.setQueryData(mail.queryKey, (state) => state && { ...state, webhook });
  void refetch("/api/notices");
  return secret;
}

const WEBHOOK = "/api/mail/webhook";

/** Throws CallFailed, like the two below; `fields` has the error of the URL. */
export const setWebhook = async (url: string) =>
  updateWebhook(await api.post<WebhookSet>(WEBHOOK, { url }));
export const renewWebhookSecret = async () =>
  updateWebhook(await api.post<WebhookSet>(`${WEBHOOK}/secret`));
export const endWebhook = async () => updateWebhook(await api.delete<WebhookSet>(WEBHOOK));

/** Posts an example; the result is returned, not thrown. */
export const testWebhook = () => api.post<WebhookTest>(`${WEBHOOK}/test`);
