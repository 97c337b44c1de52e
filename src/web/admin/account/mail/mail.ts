/** Calls to the server's mail routes: settings, test emails, messages, DNS records and the webhook. */
import type { MailAccount, ReplyTemplate } from "../../../../schema/people/mail.ts";
import type {
  DomainRecord,
  MailState,
  MailTest,
  WebhookUpdate,
  WebhookTest,
} from "../../../../schema/api/mailResponses.ts";
import { api, queryClient } from "../../data/client.ts";
import { refetchPaths, setCachedValue, createApiQuery, useApiQuery } from "../../data/apiQuery.ts";

const POLL_INTERVAL_MS = 3000;

const mailQuery = createApiQuery<MailState>("/api/mail", {
  pollIntervalMs: ({ messages }) =>
    messages.some(({ state }) => state === "waiting") && POLL_INTERVAL_MS,
});

export const useMail = () => useApiQuery(mailQuery);

/** The settings to change. Omitted settings stay unchanged. */
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

export const MAIL_SAVE_MESSAGES = {
  success: "Email settings saved",
  failure: "Couldn't save the email settings",
} as const;

/** Saves mail settings. Throws CallError with a message for each refused field. */
export async function saveMail(change: MailChange): Promise<void> {
  updateCache(await api.post<MailState>("/api/mail", change));
}

/** Removes the mail account. Throws CallError. */
export async function turnOffMail(): Promise<void> {
  updateCache(await api.delete<MailState>("/api/mail"));
}

function updateCache(state: MailState): void {
  setCachedValue(mailQuery, state);
  void refetchPaths("/api/notices");
}

/** Sends a test email. If sending fails, no error is thrown; the returned steps contain the failure. */
export const sendTestMail = () => api.post<MailTest>("/api/mail/test", {});

/** Sends a waiting or failed message again. Throws CallError. */
export async function retryMessage(id: string): Promise<void> {
  await api.post(`/api/mail/messages/${id}/retry`);
  void refetchPaths("/api/notices");
  await refetchPaths("/api/mail");
}

export const useDomainRecords = () => useApiQuery(createApiQuery<DomainRecord[]>(DOMAIN_PATH));

/** Checks the DNS records of the sender's domain again. Throws CallError. */
export const checkDomain = () =>
  queryClient.fetchQuery(createApiQuery<DomainRecord[]>(DOMAIN_PATH));

const DOMAIN_PATH = "/api/mail/domain";

/** Caches the updated webhook. Returns the new secret, if one was created. */
function applyWebhookUpdate({ webhook, secret }: WebhookUpdate) {
  queryClient.setQueryData(mailQuery.queryKey, (state) => state && { ...state, webhook });
  void refetchPaths("/api/notices");
  return secret;
}

const WEBHOOK_PATH = "/api/mail/webhook";

/** Sets the webhook's URL. Throws CallError, whose `fields.url` is the message about the URL. */
export const setWebhook = async (url: string) =>
  applyWebhookUpdate(await api.post<WebhookUpdate>(WEBHOOK_PATH, { url }));
export const renewWebhookSecret = async () =>
  applyWebhookUpdate(await api.post<WebhookUpdate>(`${WEBHOOK_PATH}/secret`));
export const removeWebhook = async () =>
  applyWebhookUpdate(await api.delete<WebhookUpdate>(WEBHOOK_PATH));

/** Sends a test to the webhook. If the delivery fails, no error is thrown; the result contains the failure. */
export const testWebhook = () => api.post<WebhookTest>(`${WEBHOOK_PATH}/test`);
