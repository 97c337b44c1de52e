/** Pictures for tests of pages, uploaded by the owner's own call. */
import type { Executable } from "./executable.ts";

/** Uploads a picture under a name whose ending tells its type; answers what the server stored. */
export async function uploadPicture(
  site: Pick<Executable, "url" | "cookie">,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly id: string; readonly url: string }> {
  const type = name.endsWith(".png") ? "image/png" : "image/jpeg";
  const body = new FormData();
  body.set("file", new File([bytes], name, { type }));
  const headers = { cookie: await site.cookie() };
  const answer = await fetch(`${site.url}/api/upload`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`Could not upload: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
