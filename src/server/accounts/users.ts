/** Finds, creates and changes users, for the routes and the command line. */
import * as v from "valibot";
import { MAX_EMAIL_LENGTH } from "../../schema/core/emailAddress.ts";
import { checkChange, checkNewItem } from "../../schema/entities/check.ts";
import { entities, type Item } from "../../schema/index.ts";
import { isOwner, type Role, ROLES } from "../../schema/core/roles.ts";
import { type BodyFields, toFields } from "../http/body.ts";
import { type Clock, getTimestamp } from "../shared/clock.ts";
import {
  conflict,
  noLongerExists,
  invalidField,
  invalidInput,
  notAllowed,
  notFound,
} from "../shared/errors.ts";
import { findItem, type Store, type Transaction } from "../storage/store.ts";
import { findPasswordProblem, type Passwords } from "./passwords.ts";
import { normalizeUsername, findUsernameProblem } from "./usernames.ts";

export type User = Item<"users">;

interface NewUserInput {
  readonly username: unknown;
  readonly email: unknown;
  readonly password: unknown;
}

export const OWNER_ROLE: Role = "admin";

/** The values of a user whose only way to log in is the password. */
export const SECOND_FACTOR_RESET = {
  passkeys: [],
  totp: null,
  recoveryCodes: null,
} as const satisfies Partial<User>;

export interface UserContext {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly clock: Clock;
}

const NAME_IN_USE_MESSAGE = "This username or email address is already taken.";

interface NewUserOptions {
  /** Default: owner. */
  readonly role?: Role;
  /** Throws a 409 if the site already has a user. */
  readonly mustBeFirst?: boolean;
  /** Further names that the password must not contain, such as a new site's name. */
  readonly names?: readonly string[];
  /** Throws if the permission to create this user has been revoked. Called inside the write. */
  readonly assertAllowed?: () => void;
  /** Makes further changes in the same transaction, such as deleting the used invitation. */
  readonly inSameTransaction?: (transaction: Transaction) => Promise<unknown>;
  /** Messages by field for other invalid fields of the input. The error includes them. */
  readonly otherFieldErrors?: Readonly<Record<string, string>>;
}

/** Stores a new user. Throws 422 with messages by field (`username`, `email`, `password`), or 409. */
export async function createUser(
  context: UserContext,
  input: NewUserInput,
  options: NewUserOptions = {},
): Promise<User> {
  const { username, email, password } = checkNewUser(context.store, input, options);
  const user: User = {
    id: Bun.randomUUIDv7(),
    username,
    email,
    role: options.role ?? OWNER_ROLE,
    ...SECOND_FACTOR_RESET,
    loginsSeenAt: null,
    passwordHash: await context.passwords.hash(password),
    createdAt: getTimestamp(context.clock),
  };
  await context.store.transaction(async (transaction) => {
    await transaction.of(entities.users).update((users) => {
      options.assertAllowed?.();
      if (options.mustBeFirst && users.length > 0)
        throw conflict("This site already has an owner. Log in instead.");
      if (users.some((each) => isUserNamed(each, username) || isUserNamed(each, email)))
        throw conflict(NAME_IN_USE_MESSAGE);
      assertValidUsername(user, users);
      return [...users, user];
    });
    await options.inSameTransaction?.(transaction);
  });
  return user;
}

function checkNewUser(
  store: Store,
  input: NewUserInput,
  { names = [], otherFieldErrors }: NewUserOptions,
) {
  const checked = checkNewItem(entities.users, withNormalizedUsername(input));
  const errors: Record<string, string> = checked.ok ? {} : { ...checked.fields };
  const users = listUsers(store);
  const nameProblem = checked.ok && findNameProblem(toUserNames(checked.values), users);
  if (nameProblem) errors.username = nameProblem;
  const guessableTexts = listGuessableTexts(store, input.username, input.email, ...names);
  const problem = findPasswordProblem(input.password, guessableTexts);
  if (problem) errors.password = problem;
  Object.assign(errors, otherFieldErrors);
  const [firstError] = Object.values(errors);
  if (firstError !== undefined) throw invalidInput(firstError, errors);
  if (!checked.ok) throw invalidInput(checked.error, errors);
  return { ...toUserNames(checked.values), password: String(input.password) };
}

const toUserNames = ({ username, email }: BodyFields) => ({
  username: String(username),
  email: String(email),
});

function withNormalizedUsername(input: unknown): unknown {
  const fields = toFields(input);
  const { username } = fields;
  return typeof username === "string"
    ? { ...fields, username: normalizeUsername(username) }
    : input;
}

/** Returns why a username is refused. Ignores users with exactly this name, because the caller refuses a taken name. */
const findNameProblem = (user: Pick<User, "username" | "email">, others: readonly User[]) =>
  findUsernameProblem(
    user,
    others.filter((each) => !isUserNamed(each, user.username)),
  );

function assertValidUsername(user: User, others: readonly User[]): void {
  const problem = findNameProblem(user, others);
  if (problem) throw invalidField("username", problem);
}

/** Resets a user's password for the command line, removes passkeys and second factors, and ends all sessions. */
export async function resetPassword(
  context: UserContext,
  login: string,
  newPassword: unknown,
): Promise<User> {
  const user = findUser(context.store, login);
  if (!user) throw notFound("There is no user with this username or email address.");
  await changePassword(context, user.id, newPassword);
  await changeUser(context.store, user.id, (each) => ({ ...each, ...SECOND_FACTOR_RESET }));
  await context.store
    .of(entities.sessions)
    .update((all) => all.filter(({ userId }) => userId !== user.id));
  return user;
}

/**
 * Changes a user's password. Throws 422 (field `newPassword`) or 404. The caller must end the user's sessions.
 * `assertAllowed` is called inside the write; it throws if the change is no longer allowed.
 */
export async function changePassword(
  { store, passwords }: UserContext,
  userId: string,
  newPassword: unknown,
  assertAllowed: () => void = () => {},
): Promise<void> {
  assertValidPassword(store, userId, newPassword);
  const passwordHash = await passwords.hash(String(newPassword));
  await changeUser(store, userId, (user) => {
    assertAllowed();
    return { ...user, passwordHash };
  });
}

/** Changes a stored user. Throws a 404 for an unknown id, and any error of `change`. */
export async function changeUser(
  store: Store,
  userId: string,
  change: (user: User) => User,
): Promise<void> {
  await store.of(entities.users).update((users) => {
    const user = users.find(({ id }) => id === userId);
    if (!user) throw noLongerExists(entities.users);
    return users.with(users.indexOf(user), change(user));
  });
}

/** Changes a user's username or email address. Throws 422 if a value is invalid, and 409 if the value is taken. */
export async function changeProfile(store: Store, userId: string, input: unknown): Promise<void> {
  const checked = checkChange(entities.users, withNormalizedUsername(input));
  if (!checked.ok) throw invalidInput(checked.error, checked.fields);
  await store.of(entities.users).update((users) => {
    const others = users.filter(({ id }) => id !== userId);
    for (const name of Object.values(checked.values))
      if (others.some((each) => isUserNamed(each, String(name))))
        throw conflict(NAME_IN_USE_MESSAGE);
    return users.map((each) => {
      if (each.id !== userId) return each;
      const changedUser = { ...each, ...checked.values };
      // An unchanged username isn't checked, because an old one may break today's rules. A username that equals the old
      // email address is checked again, because another user may get that address.
      const isNewName =
        changedUser.username !== each.username || isSameIgnoringCase(each.username, each.email);
      if (isNewName) assertValidUsername(changedUser, others);
      return changedUser;
    });
  });
}

/** Throws a 404 for an unknown id. */
export function getUser(store: Store, userId: string): User {
  const user = findItem(store, entities.users, userId);
  if (!user) throw noLongerExists(entities.users);
  return user;
}

/** Throws a 422 (field `newPassword`) for an unacceptable password, and a 404 for an unknown user. */
export function assertValidPassword(store: Store, userId: string, newPassword: unknown): void {
  const user = getUser(store, userId);
  const problem = findPasswordProblem(
    newPassword,
    listGuessableTexts(store, user.username, user.email),
  );
  if (problem) throw invalidField("newPassword", problem);
}

function listGuessableTexts(store: Store, ...texts: unknown[]): string[] {
  const siteName = store.of(entities.site).read().value.name;
  return [...texts, siteName].filter((text) => typeof text === "string");
}

/** Finds a user by username or email address, ignoring case. */
export function findUser(store: Store, login: string): User | undefined {
  if (login.length > MAX_EMAIL_LENGTH) return undefined;
  const users = listUsers(store);
  const normalizedLogin = normalizeUsername(login);
  // Compares the input as typed first, because an old username may be stored unnormalized.
  return (
    users.find((user) => isUserNamed(user, login)) ??
    users.find((user) => isUserNamed(user, normalizedLogin))
  );
}

function isUserNamed({ username, email }: User, login: string): boolean {
  const trimmedLogin = login.trim();
  return isSameIgnoringCase(username, trimmedLogin) || isSameIgnoringCase(email, trimmedLogin);
}

const isSameIgnoringCase = (one: string, other: string) =>
  one.toLowerCase() === other.toLowerCase();

export const listUsers = (store: Store): readonly User[] => store.of(entities.users).read().value;

export const isSetUp = (store: Store) => listUsers(store).length > 0;

/** Throws a 403 unless the user is an owner. Call this inside the write, because a role can change during a request. */
export function requireOwner(users: readonly User[], userId: string): void {
  if (!isOwner(users, userId)) throw notAllowed();
}

export const roleSchema = v.picklist(
  ROLES.map(({ value }) => value),
  "Choose one of the options.",
);
