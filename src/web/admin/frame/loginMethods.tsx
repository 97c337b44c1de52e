/** The login methods besides a password, whose code is loaded on demand. */
import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../shared/api.ts";
import { useLoginState } from "../data/session.ts";
import { createLazyComponent } from "../parts/lazyComponent.tsx";
import type { PasskeyButtonProps, SecondFactorFormProps } from "./SecondFactor.tsx";

export const LazySecondFactor = createLazyComponent<SecondFactorFormProps>({
  subject: "the second step",
  loadCode: async () => (await import("./SecondFactor.tsx")).SecondFactorForm,
});

const LazyPasskeyButton = createLazyComponent<PasskeyButtonProps>({
  subject: "passkeys",
  loadCode: async () => (await import("./SecondFactor.tsx")).PasskeyButton,
  placeholder: null,
  // If this code fails to load, the login works without the passkey button.
  wrapError: () => null,
});

/** Shown if the site can send email. */
export function ForgottenPasswordLink() {
  const { data } = useQuery({
    queryKey: ["forgotten"],
    queryFn: () => callApi<{ possible: boolean }>("/api/auth/forgotten"),
  });
  return (
    data?.possible && (
      <a className="stage-back row gap-4 small quiet" href="/admin/password">
        Forgot your password?
      </a>
    )
  );
}

/** Shown if any user of this site has a passkey. */
export function PasskeyLogin(props: PasskeyButtonProps) {
  return useLoginState().data?.possible && <LazyPasskeyButton {...props} />;
}
