/**
 * The people who may edit: found, created, given a new password. Used by the routes and the command
 * line.
 */
import { checkChange, checkNew } from "../../schema/check.ts";
import { entities, type Item } from "../../schema/index.ts";
import type { Role } from "../../schema/roles.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, gone, invalid, notFound } from "../shared/errors.ts";
import type { Document, Store } from "../storage/store.ts";
import { passwordProblem, type Passwords } from "./passwords.ts";

export type User = Item<"users">;

/** A new owner as typed, unchecked. */
export interface NewOwner {
  readonly username: unknown;
  readonly email: unknown;
  readonly password: unknown;
}

/** Nothing but the password. */
export const NO_SECOND_FACTOR = {
  passkeys: [],
  totp: null,
  recoveryCodes: null,
} as const satisfies Partial<User>;

export interface OwnerTools {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly clock: Clock;
}

const TAKEN = "This username or email address is already taken.";

export interface NewOwnerOptions {
  /** Default: an owner's. */
  readonly role?: Role;
  /** Refused when there is an owner already. */
  readonly onlyFirst?: boolean;
  /** Further words that the password must not contain. */
  readonly names?: readonly string[];
  /** Messages for other fields of the same form, so that one refusal names them all. */
  readonly alsoWrong?: Readonly<Record<string, string>>;
}

/**
 * Stores a new owner. Throws 422 with messages by field (`username`, `email`, `password`),
 * or 409.
 */
export async function createOwner(
  tools: OwnerTools,
  input: NewOwner,
  options: NewOwnerOptions = {},
): Promise<User> {
  const { username, email } = checkOwner(tools.store, input, options);
  const user: User = {
    id: Bun.randomUUIDv7(),
    username,
    email,
    role: options.role ?? "admin",
    ...NO_SECOND_FACTOR,
    loginsSeenAt: null,
    passwordHash: await tools.passwords.hash(input.password as string),
    createdAt: isoTime(tools.clock),
  };
  await usersOf(tools.store).update((users) => {
    if (options.onlyFirst && users.length > 0)
      throw conflict("This site already has an owner. Log in.");
    if (users.some((each) => isNamed(each, username) || isNamed(each, email)))
      throw conflict(TAKEN);
    return [...users, user];
  });
  return user;
}

function checkOwner(store: Store, input: NewOwner, { names = [], alsoWrong }: NewOwnerOptions) {
  const checked = checkNew(entities.users, input);
  const wrong: Record<string, string> = checked.ok ? {} : { ...checked.fields };
  const known = knownNames(store, input.username, input.email, ...names);
  const problem = passwordProblem(input.password, known);
  if (problem) wrong.password = problem;
  Object.assign(wrong, alsoWrong);
  if (!checked.ok || Object.keys(wrong).length > 0) throw invalid(Object.values(wrong)[0]!, wrong);
  return checked.values as { username: string; email: string };
}

/**
 * For a forgotten password: by username or email address. Takes passkeys, authenticator app and recovery
 * codes away as well, and ends all of the user's sessions.
 */
export async function resetPassword(
  tools: OwnerTools,
  login: string,
  newPassword: unknown,
): Promise<User> {
  const user = findUser(tools.store, login);
  if (!user) throw notFound("There is no user with this username or email address.");
  await changePassword(tools, user.id, newPassword);
  await changeUser(tools.store, user.id, (each) => ({ ...each, ...NO_SECOND_FACTOR }));
  await tools.store
    .of(entities.sessions)
    .update((all) => all.filter(({ userId }) => userId !== user.id));
  return user;
}

/**
 * Gives a user another password. Throws 422 (field `newPassword`) or 404. Ending the user's
 * sessions is left to the caller, as it knows which one to keep. `stillMay` throws where it came too late,
 * called in the change itself.
 */
export async function changePassword(
  { store, passwords }: OwnerTools,
  userId: string,
  newPassword: unknown,
  stillMay: () => void = () => {},
): Promise<void> {
  requireGoodPassword(store, userId, newPassword);
  const passwordHash = await passwords.hash(newPassword as string);
  await changeUser(store, userId, (user) => {
    stillMay();
    return { ...user, passwordHash };
  });
}

/** Changes what is stored of a user. Throws a 404 when there is none with this id, and what `change` throws. */
export async function changeUser(
  store: Store,
  userId: string,
  change: (user: User) => User,
): Promise<void> {
  await usersOf(store).update((users) => {
    const at = users.findIndex(({ id }) => id === userId);
    if (at === -1) throw gone(entities.users);
    return users.with(at, change(users[at]!));
  });
}

/** Gives a user another username or email address. Throws 409 where it is somebody else's, and 422. */
export async function changeProfile(store: Store, userId: string, sent: unknown): Promise<void> {
  const checked = checkChange(entities.users, sent);
  if (!checked.ok) throw invalid(checked.error, checked.fields);
  await usersOf(store).update((users) => {
    const others = users.filter(({ id }) => id !== userId);
    for (const name of Object.values(checked.values) as string[])
      if (others.some((each) => isNamed(each, name))) throw conflict(TAKEN);
    return users.map((each) => (each.id === userId ? { ...each, ...checked.values } : each));
  });
}

/** The user with this id. Throws a 404. */
export function userWith(store: Store, userId: string): User {
  const user = usersOf(store)
    .read()
    .value.find(({ id }) => id === userId);
  if (!user) throw gone(entities.users);
  return user;
}

/** Throws what `changePassword` throws for a password that is not taken. */
export function requireGoodPassword(store: Store, userId: string, newPassword: unknown): void {
  const user = userWith(store, userId);
  const problem = passwordProblem(newPassword, knownNames(store, user.username, user.email));
  if (problem) throw invalid(problem, { newPassword: problem });
}

function knownNames(store: Store, ...given: unknown[]): string[] {
  const site = store.of(entities.site).read().value.name;
  return [...given, site].filter((name) => typeof name === "string");
}

/** The user with this username or email address, upper and lower case alike. */
export function findUser(store: Store, login: string): User | undefined {
  return usersOf(store)
    .read()
    .value.find((user) => isNamed(user, login));
}

function isNamed({ username, email }: User, login: string): boolean {
  const wanted = login.trim().toLowerCase();
  return username.toLowerCase() === wanted || email.toLowerCase() === wanted;
}

export const usersOf = (store: Store): Document<User[]> => store.of(entities.users);
