/** The privacy policy. */
import { useShell } from "../useShell.ts";

/** Shows /privacy-policy. */
export function PrivacyPolicy() {
  const { site } = useShell();
  return (
    <main>
      <h1>Privacy Policy</h1>
      <p>{site.name}</p>
    </main>
  );
}
