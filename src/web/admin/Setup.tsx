/** The Setup screen of the owner's side. */

/** Shows Setup. */
export function Setup() {
  return <main>Setup</main>;
}
