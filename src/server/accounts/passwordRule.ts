/** Which passwords are taken (security.md, "Guessing the password"; ASVS 5.0, 6.2). */
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "../../schema/accounts.ts";
import { isCommonPassword } from "./commonPasswords.ts";

/** The shortest name that a password must not contain: shorter ones occur by chance. */
const MIN_NAME = 4;

/**
 * Why a password is not taken, in words, or undefined when it is. `names` are what others know:
 * username, e-mail address, the site's name.
 */
export function passwordProblem(password: unknown, names: readonly string[]): string | undefined {
  if (typeof password !== "string" || password === "") return "Choose a password.";
  if ([...password].length < MIN_PASSWORD_LENGTH)
    return `Use at least ${MIN_PASSWORD_LENGTH} characters.`;
  if (password.length > MAX_PASSWORD_LENGTH)
    return `Use at most ${MAX_PASSWORD_LENGTH} characters.`;
  if (isCommonPassword(password))
    return "This password is among the first ones guessed. Choose another one.";
  if (namesInside(password, names))
    return "Leave your name, your e-mail address and the site's name out of the password.";
  return undefined;
}

function namesInside(password: string, names: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return names
    .flatMap((name) => [name, name.replace(/@.*$/, ""), name.replace(/\s+/g, "")])
    .map((name) => name.trim().toLowerCase())
    .some((name) => name.length >= MIN_NAME && lower.includes(name));
}
