/** The countries in a native list, rendered by the server. */
import { expect, test } from "bun:test";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { COUNTRIES } from "../../../src/schema/core/countries.ts";
import { getCountries } from "../../../src/web/site/enquiry/formWords.ts";
import { useCountryOptions } from "../../../src/web/site/enquiry/countryOptions.ts";

function List() {
  const options = useCountryOptions(
    getCountries({ locale: "en" }),
    "GB",
    ({ code, name }) => [code, name],
    [["", "<b>Pick & go</b>"]],
  );
  return createElement("select", { dangerouslySetInnerHTML: options });
}

test("a native list has every country, selects the chosen one, and escapes the owner's text", () => {
  const markup = renderToStaticMarkup(createElement(List));
  expect(markup.match(/<option/g)).toHaveLength(COUNTRIES.length + 1);
  expect(markup).toContain('<option value="GB" selected>United Kingdom</option>');
  expect(markup.match(/ selected/g)).toHaveLength(1);
  expect(markup).toContain('<option value="">&lt;b&gt;Pick &amp; go&lt;/b&gt;</option>');
  expect(markup).toContain("Bosnia &amp; Herzegovina");
});
