/** The last screen of the welcome lists what the site has (specification, section 2.7). */
import { afterAll, expect, test } from "bun:test";
import { createElement as h } from "react";
import { getInitialValues } from "../../../../src/schema/entities/check.ts";
import { type Content, entities } from "../../../../src/schema/index.ts";
import { queryClient } from "../../../../src/web/admin/data/client.ts";
import { createEntityQueryKey } from "../../../../src/web/admin/data/useEntity.ts";
import { useSiteFacts } from "../../../../src/web/admin/welcome/DoneStep.tsx";
import { renderInDashboard } from "../../../support/renderInDashboard.ts";

afterAll(() => queryClient.clear());

const Facts = (props: { hero: Content<"hero"> }) =>
  h(
    "p",
    null,
    useSiteFacts(props.hero)
      .map((fact) => fact.join(": "))
      .join("\n"),
  );

test("the welcome's last screen lists About's first sentence only if it is still About's text", async () => {
  const store = (key: "about" | "site", values: object) =>
    queryClient.setQueryData(createEntityQueryKey(key), {
      value: { ...getInitialValues(entities[key].fields), ...values },
      etag: null,
    });
  const initial = getInitialValues(entities.hero.fields);
  const render = (about: string, occupation = "Singer") => {
    store("site", { language: "en" });
    store("about", { content: about });
    const hero = { ...initial, mainTitle: "Vera Lane", subtitle: occupation };
    return renderInDashboard(h(Facts, { hero: hero as Content<"hero"> }));
  };
  expect(await render("<p>Vera Lane is a singer.</p>")).toContain("About: a first sentence");
  expect(await render("<p>I've been on stage for twenty years.</p>")).not.toContain("About");
  expect(await render(entities.about.fields.content.initial, "Vera Lane")).not.toContain("About");
});
