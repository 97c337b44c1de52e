/** The checklist of a new site (specification, section 2.7). */
import { afterAll, expect, test } from "bun:test";
import { createElement as h } from "react";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { entities } from "../../../../src/schema/index.ts";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { createEntityQueryKey } from "../../../../src/web/admin/data/useEntity.ts";
import { NextStepsScreen } from "../../../../src/web/admin/tabs/NextSteps.tsx";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";

afterAll(() => queryClient.clear());

const NOTE = "Set the site's public URL (SITE_URL) on the server.";

test("the checklist asks for SITE_URL only if it is missing", async () => {
  for (const key of ["hero", "styles", "about", "site", "welcome"] as const)
    queryClient.setQueryData(createEntityQueryKey(key), {
      value: { ...getInitialValues(entities[key].fields), state: "finished", checklist: "shown" },
      etag: null,
    });
  for (const key of ["connectLinks", "highlights"] as const)
    queryClient.setQueryData(createEntityQueryKey(key), { value: [], etag: null });
  queryClient.setQueryData(["formSubmissions", "counts"], {});
  const render = (siteUrl: string | null) => renderInDashboard(h(NextStepsScreen), { siteUrl });
  expect(await render("https://vera.example")).toContain("Add your links");
  expect(await render("https://vera.example")).not.toContain("SITE_URL");
  expect((await render(null)).replaceAll("&#x27;", "'")).toContain(NOTE);
});
