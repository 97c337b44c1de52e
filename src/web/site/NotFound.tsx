/** The page for addresses that lead nowhere. */

/** Shows the card "404 Page Not Found". */
export function NotFound() {
  return (
    <main>
      <article>
        <h1>404 Page Not Found</h1>
      </article>
    </main>
  );
}
