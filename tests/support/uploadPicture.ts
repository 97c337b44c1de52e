/** Pictures for tests, uploaded by the owner's call. */
import type { Callers } from "./site.ts";

/** Uploads a picture under a name whose ending tells its type. Returns the stored item. */
export async function uploadPicture(
  { owner }: Pick<Callers, "owner">,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly id: string; readonly url: string }> {
  const type = name.endsWith(".png") ? "image/png" : "image/jpeg";
  const form = new FormData();
  form.set("file", new File([bytes], name, { type }));
  const { status, body, text } = await (await owner()).post("/api/upload", form);
  if (status !== 201) throw new Error(`Could not upload: ${status} ${text}`);
  return body;
}
