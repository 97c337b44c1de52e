/**
 * The people who may log in: lookup, creation, changes of passwords. Used by the routes and the command line.
 */
import { MAX_EMAIL_LENGTH } from "../../schema/core/emailAddress.ts";
import { checkChange, checkNew } from "../../schema/entities/check.ts";
import { entities, type Item } from "../../schema/index.ts";
import { isOwner, type Role, ROLES } from "../../schema/core/roles.ts";
import { type BodyFields, toFields } from "../http/body.ts";
import { type Clock, isoTime } from "../shared/clock.ts";
import { conflict, noLongerExists, invalidInput, notAllowed, notFound } from "../shared/errors.ts";
import { findItem, type Document, type Store, type Transaction } from "../storage/store.ts";
import { passwordProblem, type Passwords } from "./passwords.ts";
import { normalizeUsername, usernameProblem } from "./usernames.ts";

export type User = Item<"users">;

/** A new owner's input, unchecked. */
interface NewUser {
  readonly username: unknown;
  readonly email: unknown;
  readonly password: unknown;
}

export const OWNER_ROLE: Role = "admin";

/** Only the password is left. */
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
  /** Default: an owner's. */
  readonly role?: Role;
  /** Refuses if there is an owner already. */
  readonly onlyFirst?: boolean;
  /** More words that the password must not contain. */
  readonly names?: readonly string[];
  /** Throws if the right has ended; called inside the write. */
  readonly assertAllowed?: () => void;
  /** Further changes in the same transaction, such as using up the invitation. */
  readonly inSameTransaction?: (transaction: Transaction) => Promise<unknown>;
  /** Messages for other fields of the form, so that one refusal includes them all. */
  readonly otherFieldErrors?: Readonly<Record<string, string>>;
}

/**
 * Stores a new owner. Throws 422 with messages by field (`username`, `email`, `password`),
 * or 409.
 */
export async function createUser(
  tools: UserContext,
  input: NewUser,
  options: NewUserOptions = {},
): Promise<User> {
  const { username, email, password } = checkNewUser(tools.store, input, options);
  const user: User = {
    id: Bun.randomUUIDv7(),
    username,
    email,
    role: options.role ?? OWNER_ROLE,
    ...SECOND_FACTOR_RESET,
    loginsSeenAt: null,
    passwordHash: await tools.passwords.hash(password),
    createdAt: isoTime(tools.clock),
  };
  await tools.store.transaction(async (transaction) => {
    await transaction.of(entities.users).update((users) => {
      options.assertAllowed?.();
      if (options.onlyFirst && users.length > 0)
        throw conflict("This site already has an owner. Log in instead.");
      if (users.some((each) => isUserNamed(each, username) || isUserNamed(each, email)))
        throw conflict(NAME_IN_USE_MESSAGE);
      assertGoodName(user, users);
      return [...users, user];
    });
    await options.inSameTransaction?.(transaction);
  });
  return user;
}

function checkNewUser(
  store: Store,
  input: NewUser,
  { names = [], otherFieldErrors }: NewUserOptions,
) {
  const checked = checkNew(entities.users, normalizeNameIn(input));
  const wrong: Record<string, string> = checked.ok ? {} : { ...checked.fields };
  if (checked.ok) {
    const problem = userNameProblem(toUserNames(checked.values), usersDocument(store).read().value);
    if (problem) wrong.username = problem;
  }
  const personalTexts = guessableTexts(store, input.username, input.email, ...names);
  const problem = passwordProblem(input.password, personalTexts);
  if (problem) wrong.password = problem;
  Object.assign(wrong, otherFieldErrors);
  const [first] = Object.values(wrong);
  if (first !== undefined) throw invalidInput(first, wrong);
  if (!checked.ok) throw invalidInput(checked.error, wrong);
  return { ...toUserNames(checked.values), password: String(input.password) };
}

/** Of checked values. */
const toUserNames = ({ username, email }: BodyFields) => ({
  username: String(username),
  email: String(email),
});

/** The input, with the username in its stored form. */
function normalizeNameIn(sent: unknown): unknown {
  const fields = toFields(sent);
  const { username } = fields;
  return typeof username === "string" ? { ...fields, username: normalizeUsername(username) } : sent;
}

/** An identical name is reported as in use, rather than as a look-alike. */
const userNameProblem = (person: Pick<User, "username" | "email">, others: readonly User[]) =>
  usernameProblem(
    person,
    others.filter((each) => !isUserNamed(each, person.username)),
  );

function assertGoodName(person: User, others: readonly User[]): void {
  const problem = userNameProblem(person, others);
  if (problem) throw invalidInput(problem, { username: problem });
}

/**
 * Resets a forgotten password, by username or email address. Also removes passkeys, authenticator app and recovery
 * codes, and ends all of the user's sessions.
 */
export async function resetPassword(
  tools: UserContext,
  login: string,
  newPassword: unknown,
): Promise<User> {
  const user = findUser(tools.store, login);
  if (!user) throw notFound("There is no user with this username or email address.");
  await changePassword(tools, user.id, newPassword);
  await changeUser(tools.store, user.id, (each) => ({ ...each, ...SECOND_FACTOR_RESET }));
  await tools.store
    .of(entities.sessions)
    .update((all) => all.filter(({ userId }) => userId !== user.id));
  return user;
}

/**
 * Changes a user's password. Throws 422 (field `newPassword`) or 404. The caller ends the user's sessions, since
 * it determines the one that continues. `assertAllowed` is called inside the write, and throws if the permission
 * has been revoked.
 */
export async function changePassword(
  { store, passwords }: UserContext,
  userId: string,
  newPassword: unknown,
  assertAllowed: () => void = () => {},
): Promise<void> {
  assertGoodPassword(store, userId, newPassword);
  const passwordHash = await passwords.hash(String(newPassword));
  await changeUser(store, userId, (user) => {
    assertAllowed();
    return { ...user, passwordHash };
  });
}

/** Changes a stored user. Throws a 404 for an unknown id, and what `change` throws. */
export async function changeUser(
  store: Store,
  userId: string,
  change: (user: User) => User,
): Promise<void> {
  await usersDocument(store).update((users) => {
    const user = users.find(({ id }) => id === userId);
    if (!user) throw noLongerExists(entities.users);
    return users.with(users.indexOf(user), change(user));
  });
}

/** Changes a user's username or email address. Throws 409 if it is somebody else's, and 422. */
export async function changeProfile(store: Store, userId: string, sent: unknown): Promise<void> {
  const checked = checkChange(entities.users, normalizeNameIn(sent));
  if (!checked.ok) throw invalidInput(checked.error, checked.fields);
  await usersDocument(store).update((users) => {
    const others = users.filter(({ id }) => id !== userId);
    for (const name of Object.values(checked.values))
      if (others.some((each) => isUserNamed(each, String(name))))
        throw conflict(NAME_IN_USE_MESSAGE);
    return users.map((each) => {
      if (each.id !== userId) return each;
      const next = { ...each, ...checked.values };
      // A name older than the rules stays valid, unless it was the address that now changes.
      const isNew = next.username !== each.username || isSame(each.username, each.email);
      if (isNew) assertGoodName(next, others);
      return next;
    });
  });
}

/** The user with this id. Throws a 404. */
export function getUser(store: Store, userId: string): User {
  const user = findItem(store, entities.users, userId);
  if (!user) throw noLongerExists(entities.users);
  return user;
}

/** Throws what `changePassword` throws for an unacceptable password. */
export function assertGoodPassword(store: Store, userId: string, newPassword: unknown): void {
  const user = getUser(store, userId);
  const problem = passwordProblem(newPassword, guessableTexts(store, user.username, user.email));
  if (problem) throw invalidInput(problem, { newPassword: problem });
}

function guessableTexts(store: Store, ...texts: unknown[]): string[] {
  const site = store.of(entities.site).read().value.name;
  return [...texts, site].filter((name) => typeof name === "string");
}

/** The user with this username or email address, ignoring case; no text longer than any address is one. */
export function findUser(store: Store, login: string): User | undefined {
  if (login.length > MAX_EMAIL_LENGTH) return undefined;
  const users = usersDocument(store).read().value;
  const wanted = normalizeUsername(login);
  // Tries the input as typed first: an older name may be stored in another form.
  return (
    users.find((user) => isUserNamed(user, login)) ??
    users.find((user) => isUserNamed(user, wanted))
  );
}

function isUserNamed({ username, email }: User, login: string): boolean {
  const wanted = login.trim();
  return isSame(username, wanted) || isSame(email, wanted);
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

export const usersDocument = (store: Store): Document<User[]> => store.of(entities.users);

/** Whether the site has been set up. */
export const hasUser = (store: Store) => usersDocument(store).read().value.length > 0;

/** Throws a 403 for a former owner, inside a write: rights may end during a call. */
export function requireOwner(users: readonly User[], userId: string): void {
  if (!isOwner(users, userId)) throw notAllowed();
}

/** The role in a body. Throws a 422. */
export function readRole({ role }: BodyFields): Role {
  const match = ROLES.find(({ value }) => value === role);
  if (match) return match.value;
  throw invalidInput("Choose one of the options.", { role: "Choose one of the options." });
}
