/** The account area: a list of screens beside the open screen. Narrow windows show only the open screen and Back. */
import { getRouteApi, Link } from "@tanstack/react-router";
import ArrowLeft from "lucide-react/icons/arrow-left";
import { Fragment } from "react";
import { useCurrentUser } from "../data/session.ts";
import { TabContext } from "../data/useDraft.ts";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import { useStylesheet } from "../parts/useStylesheet.ts";
import css from "./AccountPage.css" with { type: "text" };
import { findScreensForRole } from "./screens.ts";

const route = getRouteApi("/admin/dashboard");

const LazySecondFactorRequired = createLazyComponent<object>({
  subject: "your login settings",
  loadCode: async () => (await import("./security/Security.tsx")).SecondFactorRequired,
});

/** Shows the screen in the URL, or else the first. A user who must set up a second factor sees only that setup. */
export function AccountPage() {
  useStylesheet(css);
  const { account, tab } = route.useSearch();
  const { value: user } = useCurrentUser();
  if (user?.owesSecondFactor) return <LazySecondFactorRequired />;
  const screens = findScreensForRole(user?.role ?? "");
  const openScreen = screens.find(({ key }) => key === account) ?? screens[0];
  if (!openScreen) return null;
  const dashboardSearch = { ...(tab && { tab }) };
  return (
    <section className="account-page" aria-labelledby="account-title">
      <header className="tab-head row cluster">
        <Link
          className="icon-button account-back"
          to="/admin/dashboard"
          search={dashboardSearch}
          aria-label="Back to the dashboard"
        >
          <ArrowLeft size={20} aria-hidden="true" />
        </Link>
        <div className="tab-title cluster">
          <h2 id="account-title">
            <span className="account-area">Account</span>
            <span className="account-screen">{openScreen.label}</span>
          </h2>
        </div>
      </header>
      <nav aria-label="Account">
        {screens.map(({ key, label, icon: Icon, Screen, Gate = Fragment }) => (
          <Gate key={key}>
            <Link
              className="menu-item"
              to="/admin/dashboard"
              search={{ ...dashboardSearch, account: key }}
              resetScroll={false}
              aria-current={key === openScreen.key ? "page" : undefined}
              onPointerEnter={() => void Screen.load()}
            >
              <Icon size={16} aria-hidden="true" /> {label}
            </Link>
          </Gate>
        ))}
      </nav>
      <div className="stack gap-16">
        <TabContext.Provider value={`account.${openScreen.key}`}>
          <openScreen.Screen key={openScreen.key} />
        </TabContext.Provider>
      </div>
    </section>
  );
}
