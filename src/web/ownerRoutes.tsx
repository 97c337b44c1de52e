/** The routes of the owner's screens: not rendered on the server, and never loaded by visitors. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { AdminError, AdminPending } from "./admin/frame/Stage.tsx";
import { rootRoute } from "./router.tsx";
import { createUnlistedHead } from "./site/unlistedHead.ts";

const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/admin",
  ssr: false,
  component: lazyRouteComponent(() => import("./admin/Admin.tsx"), "Admin"),
  pendingComponent: AdminPending,
  // The outline looks like the login, so it can be replaced before half a second (the router's default).
  pendingMinMs: 0,
  errorComponent: AdminError,
  head: () => createUnlistedHead("Limelight"),
});

const adminIndexRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminError,
});

const loginRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/login",
  component: lazyRouteComponent(() => import("./admin/Login.tsx"), "Login"),
  errorComponent: AdminError,
});

const setupRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/setup",
  component: lazyRouteComponent(() => import("./admin/NewAccount.tsx"), "Setup"),
  errorComponent: AdminError,
});

const joinRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/join",
  component: lazyRouteComponent(() => import("./admin/NewAccount.tsx"), "JoinPage"),
  errorComponent: AdminError,
});

const passwordRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/password",
  component: lazyRouteComponent(() => import("./admin/ForgottenPassword.tsx"), "ForgottenPassword"),
  errorComponent: AdminError,
});

/** The dashboard's query: open tab, subtab, form and enquiry, or account screen. */
const DASHBOARD_SEARCH = ["tab", "sub", "form", "enquiry", "account"] as const;
type DashboardSearch = { [Name in (typeof DASHBOARD_SEARCH)[number]]?: string };

const welcomeRoute = createRoute({
  getParentRoute: () => adminRoute,
  path: "/welcome",
  component: lazyRouteComponent(() => import("./admin/Welcome.tsx"), "Welcome"),
  errorComponent: AdminError,
});

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
  adminIndexRoute,
  loginRoute,
  setupRoute,
  welcomeRoute,
  joinRoute,
  passwordRoute,
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
