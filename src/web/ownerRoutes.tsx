/** The routes of the owner's screens: not rendered on the server, and never loaded by visitors. */
import { createRoute, lazyRouteComponent, type RouteComponent } from "@tanstack/react-router";
import { AdminError, AdminPending } from "./admin/frame/StandalonePage.tsx";
import { rootRoute } from "./router.tsx";
import { createUnlistedHead } from "./site/unlistedHead.ts";

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin",
  ssr: false,
  component: lazyRouteComponent(() => import("./admin/Admin.tsx"), "Admin"),
  pendingComponent: AdminPending,
  // The outline looks like the login, so it may be replaced at once. By default, the router shows it for half a second.
  pendingMinMs: 0,
  errorComponent: AdminError,
  head: () => createUnlistedHead("Limelight"),
});

/** Creates the route of a screen below "/admin". Its module is loaded when the screen is first opened. */
const createScreen = <const Path extends string, Name extends string>(
  path: Path,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) =>
  createRoute({
    getParentRoute: () => adminRoute,
    path,
    component: lazyRouteComponent(load, name),
    errorComponent: AdminError,
  });

/** The names in the dashboard's query: the open tab, subtab, form, enquiry or account screen. */
const DASHBOARD_SEARCH = ["tab", "sub", "form", "enquiry", "account"] as const;
type DashboardSearch = { [Name in (typeof DASHBOARD_SEARCH)[number]]?: string };

const dashboardRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/dashboard",
  validateSearch: (search): DashboardSearch =>
    Object.fromEntries(
      DASHBOARD_SEARCH.filter((name) => search[name]).map((name) => [name, String(search[name])]),
    ),
  component: lazyRouteComponent(() => import("./admin/Dashboard.tsx"), "Dashboard"),
  errorComponent: AdminError,
});

export const ownerRoutes = adminRoute.addChildren([
  createScreen("/", () => import("./admin/Login.tsx"), "Login"),
  createScreen("/login", () => import("./admin/Login.tsx"), "Login"),
  createScreen("/setup", () => import("./admin/NewAccount.tsx"), "Setup"),
  createScreen("/join", () => import("./admin/NewAccount.tsx"), "JoinPage"),
  createScreen("/password", () => import("./admin/ForgottenPassword.tsx"), "ForgottenPassword"),
  createScreen("/welcome", () => import("./admin/Welcome.tsx"), "Welcome"),
  dashboardRoute,
]);

export const OWNER_PATHS = [
  "/admin",
  "/admin/login",
  "/admin/setup",
  "/admin/welcome",
  "/admin/join",
  "/admin/password",
  "/admin/dashboard",
];
