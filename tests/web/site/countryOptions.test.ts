/** The countries in a native list, rendered by the server. */
import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { COUNTRIES } from "../../../src/schema/core/countries.ts";
import { countriesIn } from "../../../src/web/site/enquiry/formWords.ts";
import { useCountryOptions } from "../../../src/web/site/enquiry/countryOptions.ts";

function List() {
  const options = useCountryOptions(
    countriesIn({ locale: "en" }),
    "GB",
    ({ code, name }) => [code, name],
    [["", "<b>Pick & go</b>"]],
  );
  return createElement("select", { dangerouslySetInnerHTML: options });
}

test("a list of countries has every country, the selected one marked, and the owner's text escaped", () => {
  const markup = renderToStaticMarkup(createElement(List));
  expect(markup.match(/<option/g)).toHaveLength(COUNTRIES.length + 1);
  expect(markup).toContain('<option value="GB" selected>United Kingdom</option>');
  expect(markup.match(/ selected/g)).toHaveLength(1);
  expect(markup).toContain('<option value="">&lt;b&gt;Pick &amp; go&lt;/b&gt;</option>');
  expect(markup).toContain("Bosnia &amp; Herzegovina");
});
