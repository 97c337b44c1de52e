/** The routes of the owner's screens: not rendered on the server, and never loaded by visitors. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { AdminFailed } from "./admin/frame/AdminFailed.tsx";
import { AdminPending } from "./admin/frame/AdminPending.tsx";
import { root } from "./router.tsx";
import { unlistedHead } from "./site/unlistedHead.ts";

const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  ssr: false,
  component: lazyRouteComponent(() => import("./admin/Admin.tsx"), "Admin"),
  pendingComponent: AdminPending,
  // The outline looks like the login: it needn't be shown for half a second (the router's default).
  pendingMinMs: 0,
  errorComponent: AdminFailed,
  head: () => unlistedHead("Limelight"),
});

const adminIndex = createRoute({
  getParentRoute: () => admin,
  path: "/",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminFailed,
});

const login = createRoute({
  getParentRoute: () => admin,
  path: "/login",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminFailed,
});

const setup = createRoute({
  getParentRoute: () => admin,
  path: "/setup",
  component: lazyRouteComponent(() => import("./admin/Setup.tsx"), "Setup"),
  errorComponent: AdminFailed,
});

const join = createRoute({
  getParentRoute: () => admin,
  path: "/join",
  component: lazyRouteComponent(() => import("./admin/Join.tsx"), "Join"),
  errorComponent: AdminFailed,
});

const password = createRoute({
  getParentRoute: () => admin,
  path: "/password",
  component: lazyRouteComponent(() => import("./admin/ForgottenPassword.tsx"), "ForgottenPassword"),
  errorComponent: AdminFailed,
});

/** The dashboard's query: open tab, subtab, form and enquiry, or account screen. */
const DASHBOARD_SEARCH = ["tab", "sub", "form", "enquiry", "account"] as const;
type DashboardSearch = { [Name in (typeof DASHBOARD_SEARCH)[number]]?: string };

const welcome = createRoute({
  getParentRoute: () => admin,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./admin/Welcome.tsx"), "Welcome"),
  errorComponent: AdminFailed,
});

const dashboard = createRoute({
  getParentRoute: () => admin,
  path: "/dashboard",
  validateSearch: (search): DashboardSearch =>
    Object.fromEntries(
      DASHBOARD_SEARCH.filter((name) => search[name]).map((name) => [name, String(search[name])]),
    ),
  component: lazyRouteComponent(() => import("./admin/Dashboard.tsx"), "Dashboard"),
  errorComponent: AdminFailed,
});

export const ownerRoutes = admin.addChildren([
  adminIndex,
  login,
  setup,
  welcome,
  join,
  password,
  dashboard,
]);

export const OWNERS_PATHS = [
  "/admin",
  "/admin/login",
  "/admin/setup",
  "/admin/welcome",
  "/admin/join",
  "/admin/password",
  "/admin/dashboard",
];
