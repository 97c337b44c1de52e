/**
 * Detects a proxy in front of the site that TRUSTED_PROXIES doesn't name. Behind such a proxy all visitors share one
 * address.
 */
import { isPrivateAddress } from "./visitor.ts";
import type { NoticeSource } from "../shared/notice.ts";

interface UntrustedProxyCheck {
  /** Called with the address of each socket whose X-Forwarded-For was ignored. */
  readonly reportUntrusted: (socket: string) => void;
  readonly notices: NoticeSource;
}

/** Anybody can send X-Forwarded-For, so only an address on this machine or network is taken for a proxy. */
export function createUntrustedProxyCheck(): UntrustedProxyCheck {
  let proxyAddress: string | undefined;
  return {
    reportUntrusted(socket) {
      if (proxyAddress === undefined && isPrivateAddress(socket)) proxyAddress = socket;
    },
    notices: () =>
      proxyAddress === undefined
        ? []
        : [{ code: "forgotten_proxy", message: proxyMessage(proxyAddress) }],
  };
}

const proxyMessage = (address: string) =>
  `All visitors come through a proxy at ${address} and share one rate limit, so one visitor can use it up for everyone. If the proxy is yours, set TRUSTED_PROXIES=${address} and restart Limelight.`;
