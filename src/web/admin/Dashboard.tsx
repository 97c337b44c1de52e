/** The Dashboard screen of the owner's side. */

/** Shows Dashboard. */
export function Dashboard() {
  return <main>Dashboard</main>;
}
