/** Answers the enquiry form's plain posts with the page they lead to; such a page is never kept. */
import { Elysia } from "elysia";
import type { PlainEnquiryState } from "../../schema/enquiry.ts";
import { PUBLIC_JSON, readForm } from "../http/body.ts";
import type { Visitor, VisitorPlugin } from "../http/visitor.ts";
import type { PageAsRendered } from "./pageCache.ts";

/** What the posts need. */
export interface EnquiryPostOptions {
  readonly visitor: VisitorPlugin;
  /** Takes one post; a refusal is part of the state, not raised. */
  readonly takeEnquiry: (posted: FormData, visitor: Visitor) => Promise<PlainEnquiryState>;
}

const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

/** POST /coaching, where the form points before or without scripts; `render` draws the page. */
export function enquiryPost(
  { visitor: plugin, takeEnquiry }: EnquiryPostOptions,
  render: (state: PlainEnquiryState) => Promise<PageAsRendered>,
) {
  return new Elysia({ name: "enquiry-post" }).use(plugin).post(
    "/coaching",
    async ({ request, visitor }) => {
      const state = await takeEnquiry(await readForm(request, PUBLIC_JSON, FORM_TYPES), visitor);
      const { html, policy } = await render(state);
      return new Response(html, { status: state.status, headers: headers(policy) });
    },
    { parse: "none" },
  );
}

function headers(policy: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": policy,
  };
}
