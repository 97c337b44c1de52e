/** What the server tells of the site's mail, and what can be done about it. */
import type { MailAccount, ReplyTemplate } from "../../../../schema/mail.ts";
import type {
  DomainRecord,
  MailState,
  MailTest,
  WebhookSet,
  WebhookTest,
} from "../../../../schema/mailAnswers.ts";
import { api, queryClient } from "../../data/client.ts";
import { readAgain, replaceRead, resource, useResource } from "../../data/resource.ts";

/** While messages wait they are looked at again, in milliseconds. */
const ASKED_EVERY = 3000;

const mail = resource<MailState>("/api/mail", {
  every: ({ messages }) => messages.some(({ state }) => state === "waiting") && ASKED_EVERY,
});

export const useMail = () => useResource(mail);

/** What is sent to set mail up; what is left out stays as it is. */
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

/** Throws CallFailed, with words by field. */
export async function saveMail(change: MailChange): Promise<void> {
  take(await api.post<MailState>("/api/mail", change));
}

/** Ends sending. Throws CallFailed. */
export async function switchMailOff(): Promise<void> {
  take(await api.delete<MailState>("/api/mail"));
}

function take(state: MailState): void {
  replaceRead(mail, state);
  void readAgain("/api/notices");
}

/** Sends a message to who asks; how it went is returned, not thrown. */
export const testMail = () => api.post<MailTest>("/api/mail/test", {});

/** Tries a message again now. Throws CallFailed. */
export async function retryMessage(id: string): Promise<void> {
  await api.post(`/api/mail/messages/${id}/retry`);
  void readAgain("/api/notices");
  await readAgain("/api/mail");
}

/** The records of the sender's domain, looked up on request. */
export const useDomain = () => useResource(resource<DomainRecord[]>(DOMAIN));

/** Looks them up once more. Throws CallFailed. */
export const lookUpDomain = () => queryClient.fetchQuery(resource<DomainRecord[]>(DOMAIN));

const DOMAIN = "/api/mail/domain";

/** Takes where enquiries are posted to from now on; returns the secret where there is a new one. */
function takeWebhook({ webhook, secret }: WebhookSet) {
  queryClient.setQueryData(mail.queryKey, (state) => state && { ...state, webhook });
  void readAgain("/api/notices");
  return secret;
}

const WEBHOOK = "/api/mail/webhook";

/** Throws CallFailed, as the two below; what is wrong with the address is in `fields`. */
export const setWebhook = async (url: string) =>
  takeWebhook(await api.post<WebhookSet>(WEBHOOK, { url }));
export const renewWebhookSecret = async () =>
  takeWebhook(await api.post<WebhookSet>(`${WEBHOOK}/secret`));
export const endWebhook = async () => takeWebhook(await api.delete<WebhookSet>(WEBHOOK));

/** Posts an example; how it went is returned, not thrown. */
export const testWebhook = () => api.post<WebhookTest>(`${WEBHOOK}/test`);
