/** Whether the site can be reached, for what must not leave the page without a network. */

/** The status that the site has for an address; undefined when nobody answers, or only a gateway before it. */
export async function statusOf(address: string): Promise<number | undefined> {
  try {
    const { status } = await fetch(address, { method: "HEAD", cache: "no-store" });
    return status < 500 ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Loads the page anew, but never away from it without a network. */
export async function reloadIfThere(): Promise<void> {
  if ((await statusOf(window.location.href)) !== undefined) window.location.reload();
}
