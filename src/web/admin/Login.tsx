/** The Login screen of the owner's side. */

/** Shows Login. */
export function Login() {
  return <main>Login</main>;
}
