/** Text typed into a form is stored on this device, but never a secret (`bun run check` tests the types). */
import { expect, test } from "bun:test";
import { createElement as h } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { useUnsentForm } from "../../../../src/web/admin/data/useUnsentForm.ts";
import { joinFormValues } from "../../../../src/web/ui/Form.tsx";

const FORM = { key: "users", part: "profile", name: "Profile" } as const;

test("TypeScript refuses a form that would store a secret field on this device", () => {
  const Refused = () => {
    // @ts-expect-error -- A password would be written to this device.
    useUnsentForm(FORM, { username: "", password: "" });
    // @ts-expect-error -- So would the secret of a webhook.
    useUnsentForm(FORM, { postalAddress: "", reportSecret: "" });
    return null;
  };
  expect(renderToStaticMarkup(h(Refused))).toBe("");
});

test("a secret typed into a form changes only values in memory, not those stored on the device", () => {
  const changes: [string, object][] = [];
  const place = <V extends object>(name: string, values: V) => ({
    values,
    setValues: (change: Partial<V>) => void changes.push([name, change]),
  });
  const joined = joinFormValues(place("device", { host: "" }), place("memory", { secret: "" }));
  expect(joined.values).toEqual({ host: "", secret: "" });
  joined.setValues({ secret: "s3cret" });
  joined.setValues({ host: "mail.example" });
  joined.setValues({ host: "smtp.example", secret: "other" });
  expect(changes).toEqual([
    ["memory", { secret: "s3cret" }],
    ["device", { host: "mail.example" }],
    ["device", { host: "smtp.example" }],
    ["memory", { secret: "other" }],
  ]);
});
