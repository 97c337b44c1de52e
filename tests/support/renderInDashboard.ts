/** Renders a component of the dashboard without a browser, with the data that the server would have sent. */
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { createElement as h, type ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { queryClient } from "../../src/web/admin/data/client.ts";
import type { PageContext } from "../../src/web/shared/pageContext.ts";

/** Returns the text of an element's markup. `pageContext` is the part of the page's context that the element reads. */
export async function renderInDashboard(
  element: ReactElement,
  pageContext: Partial<PageContext> = {},
): Promise<string> {
  return (await renderMarkup(element, pageContext)).replace(/<[^<>]*>/g, "\n");
}

/** Returns an element's markup, without comments. */
export async function renderMarkup(
  element: ReactElement,
  pageContext: Partial<PageContext> = {},
): Promise<string> {
  const routeTree = createRootRoute({ loader: () => pageContext, component: () => element });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  await router.load();
  const app = h(RouterProvider, { router } as never);
  const markup = renderToString(h(QueryClientProvider, { client: queryClient }, app));
  return markup.replace(/<!--.*?-->/g, "");
}
