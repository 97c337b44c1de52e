/** A visitor at the enquiry form that `EVERY_KIND_STEPS` describes. */
import type { Locator } from "playwright-core";
import { MIN_FILLING_TIME_MS } from "../../src/schema/enquiry/answers.ts";
import { newPage, type PageOptions, type TestPage } from "./browser.ts";
import { toastOf } from "./pageState.ts";
import type { Site } from "./startSite.ts";
import { waitForValue } from "./waits.ts";

/** Opens a form's page and waits for its script. Its enquiries count as begun long enough ago. */
export async function openEnquiry(
  site: Pick<Site, "url" | "advance">,
  options: PageOptions = {},
  path = "/coaching",
): Promise<EnquiryVisit> {
  const page = await newPage({ ...options, shouldHoldToasts: true, shouldSkipFillingTime: true });
  const visit = new EnquiryVisit(page);
  const started = page.waitForResponse("**/api/filling-time");
  await page.goto(site.url + path);
  await visit.waitUntilHydrated();
  await started;
  site.advance(MIN_FILLING_TIME_MS);
  return visit;
}

/** Finds the form's parts by their names, and fills in its steps. */
export class EnquiryVisit {
  constructor(readonly page: TestPage) {}

  /** Points at the form, and waits until its script has removed the field for robots. */
  async waitUntilHydrated(): Promise<void> {
    await this.page.locator(".enquiry-card").hover();
    await this.page.locator('input[name="website"]').waitFor({ state: "detached" });
  }

  button(name: string): Locator {
    return this.page.getByRole("button", { name, exact: true });
  }

  field(label: string | RegExp): Locator {
    return this.page.locator("#enquiry").getByLabel(label);
  }

  country(): Locator {
    return this.page.getByRole("combobox", { name: /^Country \(required\)/ });
  }

  /** Finds a country in the open list. */
  option(name: RegExp): Locator {
    return this.page.getByRole("listbox").getByRole("option", { name });
  }

  toast(): Locator {
    return toastOf(this.page);
  }

  /** Returns what the tab stores for a reload, decrypted; "" if it stores nothing. */
  readStored(): Promise<string> {
    return this.page.evaluate(async () => {
      const name = Object.keys(sessionStorage).find((each) => each.startsWith("limelight.enquiry"));
      const { started, text = "" } = JSON.parse((name && sessionStorage.getItem(name)) || "{}");
      const body = JSON.stringify({ started });
      const options = { method: "POST", headers: { "content-type": "application/json" }, body };
      const { key } = await (await fetch("/api/filling-time", options)).json();
      if (!key) return "";
      const bytesOf = (part: string) => Uint8Array.from(atob(part), (each) => each.charCodeAt(0));
      const algorithm = { name: "AES-GCM", iv: bytesOf(text.split(".")[0]) };
      const cryptoKey = await crypto.subtle.importKey("raw", bytesOf(key), algorithm, false, [
        "decrypt",
      ]);
      const plaintext = await crypto.subtle.decrypt(
        algorithm,
        cryptoKey,
        bytesOf(text.split(".")[1]),
      );
      return new TextDecoder().decode(plaintext);
    });
  }

  /** Waits until the stored answers contain this text. */
  waitUntilStored(text: string): Promise<void> {
    return waitForValue(async () => (await this.readStored()).includes(text), true);
  }

  /** Finds the step count, such as "2 of 3". */
  step(count: string): Locator {
    return this.page.getByText(`Step ${count}`, { exact: true });
  }

  thanks(): Locator {
    return this.page.getByRole("heading", { name: "Thank You!" });
  }

  /** Presses Submit and returns the sent body. */
  async submit(): Promise<Record<string, unknown>> {
    const sent = this.page.waitForRequest(/\/api\/form-submissions$/);
    await this.button("Submit").click();
    return (await sent).postDataJSON();
  }

  async fillFirstStep(name = "Ann"): Promise<void> {
    await this.field(/Your name/).fill(name);
    await this.field(/^Email/).fill("ann@example.com");
    await this.country().fill("united king");
    // Waits for the search: when it loads, the list moves under the pointer.
    await this.page.waitForFunction(() => {
      const { length } = document.querySelectorAll("[role=option]");
      return length > 0 && length < 20;
    });
    await this.option(/^United Kingdom/).click();
  }

  async fillLastStep(): Promise<void> {
    await this.field(/Goal/).selectOption("Sing");
    await this.field("Online").check();
    await this.field("Mornings").check();
    await this.field("Evenings").check();
  }

  async goToLastStep(): Promise<void> {
    await this.fillFirstStep();
    await this.button("Next").click();
    await this.field("Story").fill("I want to sing.");
    await this.button("Next").click();
    await this.fillLastStep();
  }
}
