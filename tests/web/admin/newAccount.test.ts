/** The pages that create an account (specification, section 2.7). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { createElement as h } from "react";
import { queryClient } from "../../../src/web/admin/data/client.ts";
import { JoinPage, Setup } from "../../../src/web/admin/NewAccount.tsx";
import { renderMarkup } from "../../support/renderInDashboard.ts";

// Bun has a navigator without the browser's languages.
const browserNavigator = Object.assign(Object.create(navigator) as Navigator, { languages: [] });
const builtInNavigator = navigator;
beforeAll(() => void (globalThis.navigator = browserNavigator));
afterAll(() => {
  globalThis.navigator = builtInNavigator;
  queryClient.clear();
});

test("phones neither capitalize nor correct the username of a new account", async () => {
  queryClient.setQueryData(["/api/setup/token", ""], {});
  queryClient.setQueryData(["/api/join/invitation", ""], { email: "", role: "", siteName: "" });
  for (const page of [Setup, JoinPage]) {
    const [field] = /<input[^<>]*name="username"[^<>]*>/.exec(await renderMarkup(h(page))) ?? [];
    expect(field).toContain('autoCapitalize="none"');
    expect(field).toContain('spellCheck="false"');
  }
});
