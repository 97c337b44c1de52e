/** Logging in by a form: what is asked for, the call, and the words when it fails (spec section 4). */
import { type FormEvent, useState } from "react";
import { failureWords } from "./toasts.ts";
import { logIn } from "./useCurrentUser.ts";

interface LoginForm {
  readonly username: string;
  readonly password: string;
  readonly onLoggedIn: () => void | Promise<void>;
  readonly onFailure: (words: string) => void;
}

/** What the form does when it is sent, and whether the answer is awaited. */
export function useLogin({ username, password, onLoggedIn, onFailure }: LoginForm) {
  const [pending, setPending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (username.trim() === "" || password === "") return onFailure("Please fill in all fields");
    setPending(true);
    try {
      await logIn(username.trim(), password);
      await onLoggedIn();
    } catch (error) {
      onFailure(failureWords(error, "Login failed"));
      setPending(false);
    }
  };
  return { pending, submit: (event: FormEvent) => void submit(event) };
}
