/** Uploads from the dashboard, and the toast after them. */
import { afterAll, afterEach, beforeAll, test } from "bun:test";
import { addPictures } from "../../../../src/web/admin/data/addPictures.ts";
import {
  dismissUploads,
  findPendingUploads,
  pendingUploads,
} from "../../../../src/web/admin/data/pendingUploads.ts";
import { currentToast } from "../../../../src/web/ui/toast.ts";
import { setUpDashboardCalls } from "../../../support/dashboardCalls.ts";
import { createPicture } from "../../../support/pictures.ts";
import { setUpSiteForAll } from "../../../support/setUpSite.ts";
import { startSite } from "../../../support/startSite.ts";
import { waitForValue } from "../../../support/waits.ts";

const site = setUpSiteForAll(startSite);
setUpDashboardCalls(site);

/** As much of the browser's XMLHttpRequest as an upload uses. */
class FetchedRequest extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = "";
  #path = "";

  /** Removing a row calls this, also after the response. */
  abort(): void {}

  open(_method: string, path: string): void {
    this.#path = path;
  }

  send(body: FormData): void {
    void this.#fetch(body);
  }

  async #fetch(body: FormData): Promise<void> {
    const response = await fetch(this.#path, { method: "POST", body });
    this.status = response.status;
    this.responseText = await response.text();
    this.dispatchEvent(new Event("load"));
  }
}

const realRequest = globalThis.XMLHttpRequest;
beforeAll(() => void Object.assign(globalThis, { XMLHttpRequest: FetchedRequest }));
afterAll(() => void Object.assign(globalThis, { XMLHttpRequest: realRequest }));
afterEach(() => {
  pendingUploads.value = [];
  currentToast.value = null;
});

test("a finished upload shows a toast even if its row was already replaced by the picture", async () => {
  const picture = new File([await createPicture("png", 64, 40)], "new.png", { type: "image/png" });
  addPictures("picker", [picture], () => dismissUploads("picker"));
  await waitForValue(() => findPendingUploads("picker").length, 0);
  await waitForValue(() => currentToast.value?.description, "File uploaded successfully");
});
