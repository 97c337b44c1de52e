/** Says what couldn't be done for lack of a network; looks like a toast, but stays until it is closed. */

const MARKUP = `<div class="ui-toast" data-destructive>
<div class="ui-toast-words"><div class="ui-toast-title"></div>
<div class="ui-toast-description">Check your connection, then try again.</div></div>
<button type="button" class="ui-button">Retry</button>
<button type="button" class="ui-close" aria-label="Close"><svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="m4 4 8 8m0-8-8 8" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></svg></button>
</div>`;

/** `retry` tries once more; the note goes when it resolves, and stays when it rejects. */
export function note(title: string, retry: () => Promise<void>): void {
  document.querySelector(".ui-toasts[role=alert]")?.remove();
  const box = document.createElement("div");
  box.className = "ui-toasts";
  box.role = "alert";
  box.innerHTML = MARKUP;
  box.querySelector(".ui-toast-title")!.textContent = title;
  const [again, close] = box.querySelectorAll("button");
  again!.addEventListener("click", () => {
    retry().then(
      () => box.remove(),
      () => undefined,
    );
  });
  close!.addEventListener("click", () => box.remove());
  document.body.append(box);
}
