/** The home page: its sections in order. */
import { getRouteApi } from "@tanstack/react-router";
import { HOME_SECTIONS } from "./sections/index.ts";

const route = getRouteApi("/");

/** Shows every section of /. */
export function Home() {
  const page = route.useLoaderData();
  return (
    <main>
      {HOME_SECTIONS.map(({ Component, reads }) => (
        <Component key={reads[0]} {...page} />
      ))}
    </main>
  );
}
