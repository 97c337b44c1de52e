/** Whether the site can be reached, for actions that must not leave the page while offline. */

/** The site's status for a URL; undefined without a response, or with only a gateway's. */
export async function fetchStatus(address: string): Promise<number | undefined> {
  try {
    const { status } = await fetch(address, { method: "HEAD", cache: "no-store" });
    return status < 500 ? status : undefined;
  } catch {
    return undefined;
  }
}

/** Reloads the page, unless the site can't be reached. */
export async function reloadIfReachable(): Promise<void> {
  if ((await fetchStatus(window.location.href)) !== undefined) window.location.reload();
}
