/** The dialog for joining or leaving the mailing list (specification, sections 4.1, 5 and 8). */
import { CallError, postAsVisitor } from "../shared/api.ts";
import { openDialog } from "./dialog.ts";
import type { ToastRequest } from "../ui/toast.ts";

/** Adds permanent listeners. Call it once, or a press would open two dialogs. */
export function handleMailingListPresses(): void {
  document.addEventListener("click", ({ target }) => {
    if ((target as Element).closest("[data-updates]")) openMailingListDialog();
  });
}

type MailingListMode = "subscribe" | "unsubscribe";

const listWords = WORDS.list;

const createRow = (label: string, name: string, input: string) =>
  `<div class="text-row"><label for="list-${name}">${label}</label><input id="list-${name}" name="${name}" ${input}></div>`;

const DIALOG_HTML = `<p class="mailing-list-lead"></p>
<form>
${createRow(listWords.email, "email", 'type="email" autocomplete="email" required autofocus')}
${createRow(listWords.name, "name", 'type="text" autocomplete="given-name"')}
<div class="off-screen" aria-hidden="true">${createRow("Website", "website", 'type="text" autocomplete="off" tabindex="-1" data-1p-ignore data-lpignore="true"')}</div>
<button class="ui-button mailing-list-send" data-variant="primary" data-size="regular"></button>
</form>
<button type="button" class="ui-button mailing-list-switch" data-variant="quiet"></button>`;

/** The inputs: email address, name, and a honeypot that only robots fill in. */
type DialogInputs = [HTMLInputElement, HTMLInputElement, HTMLInputElement];

function openMailingListDialog(): void {
  const dialog = openDialog({
    className: "mailing-list-dialog",
    size: "small",
    content: DIALOG_HTML,
  });
  Object.assign(dialog, WORDS.langAttribute);
  const form = dialog.querySelector("form")!;
  const submitButton = form.querySelector("button")!;
  const switchButton = form.nextElementSibling as HTMLButtonElement;
  const [email, name, website] = [...form.querySelectorAll("input")] as DialogInputs;
  const nameRow = name.closest("div")!;
  let mode: MailingListMode = "subscribe";
  let isPending = false;

  function updateDialog(): void {
    const words = listWords[mode];
    dialog.querySelector("h2")?.replaceChildren(words.title);
    dialog.querySelector(".mailing-list-lead")?.replaceChildren(words.lead);
    submitButton.textContent = isPending ? words.submitting : words.submit;
    submitButton.disabled = email.value.trim() === "";
    // While the input is being sent, the button isn't disabled, since a disabled button would lose the focus.
    submitButton.ariaDisabled = isPending ? "true" : null;
    submitButton.ariaBusy = isPending ? "true" : null;
    switchButton.textContent = words.switchMode;
    switchButton.disabled = isPending;
  }

  function switchMode(): void {
    mode = mode === "subscribe" ? "unsubscribe" : "subscribe";
    if (mode === "subscribe") email.closest("div")!.after(nameRow);
    else nameRow.remove();
    updateDialog();
  }

  async function submit(): Promise<void> {
    const input = { email: email.value.trim(), name: name.value.trim() };
    if (input.email === "" || isPending) return;
    isPending = true;
    notifyToasts();
    updateDialog();
    const toast = website.value
      ? createFailureToast(listWords.subscribe.failed, listWords.later)
      : await submitForm(mode, input);
    if (!toast.isDestructive && dialog.open) dialog.close();
    notifyToasts(toast);
    isPending = false;
    updateDialog();
  }

  email.addEventListener("input", updateDialog);
  switchButton.addEventListener("click", switchMode);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  updateDialog();
}

interface FormInput {
  readonly email: string;
  readonly name: string;
}

/** The status is "pending" until the address is confirmed. */
interface SubscriptionResponse {
  readonly status: string;
}

/** Sends the input and returns a toast with the result. Never rejects. */
async function submitForm(mode: MailingListMode, input: FormInput): Promise<ToastRequest> {
  const words = listWords[mode];
  try {
    const { status } = await postSubscription(mode, input);
    if (status !== "pending") return { title: words.successTitle, description: words.successText };
    const { title, text } = listWords.pending;
    return { title, description: text.replace("{email}", () => input.email) };
  } catch (error) {
    // The message for a failure that has no message from the server.
    const unreachedMessage = navigator.onLine ? listWords.failed : listWords.offline;
    return createFailureToast(
      words.failed,
      (error instanceof CallError && error.message) || unreachedMessage,
    );
  }
}

const postSubscription = (mode: MailingListMode, { email, name }: FormInput) =>
  mode === "subscribe"
    ? postAsVisitor<SubscriptionResponse>(SUBSCRIPTIONS_PATH, { email, name: name || undefined })
    : postAsVisitor<SubscriptionResponse>(`${SUBSCRIPTIONS_PATH}/${mode}`, { email });

const SUBSCRIPTIONS_PATH = "/api/email-subscriptions";

const createFailureToast = (title: string, description: string): ToastRequest => ({
  title,
  description,
  isDestructive: true,
});

/** Asks toasts.ts to show a toast, or to dismiss the current one. */
const notifyToasts = (detail?: ToastRequest) => dispatchEvent(new CustomEvent("toast", { detail }));
