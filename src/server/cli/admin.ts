/** `limelight admin`: creates an owner's account, or resets its password, on a stopped site. */
import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import { AuditLog } from "../accounts/auditLog.ts";
import { revokeInvitationsOf } from "../accounts/invitations.ts";
import { createUser, type UserContext, resetPassword } from "../accounts/users.ts";
import { createPasswords } from "../accounts/passwords.ts";
import type { Config } from "../shared/config.ts";
import { Refusal, wrongUsage } from "../shared/errors.ts";
import { type Command, printLine } from "./command.ts";
import { openSite } from "./openSite.ts";

export const adminCommand: Command = {
  name: "admin",
  usage: "create|reset-password",
  acceptsArguments: true,
  summary: "creates an owner account, or resets its password",
  run: runAdmin,
};

async function runAdmin(
  config: Config,
  [subcommand, ...extraArguments]: readonly string[],
): Promise<number> {
  if ((subcommand !== "create" && subcommand !== "reset-password") || extraArguments.length > 0) {
    throw wrongUsage(
      "Specify an action: limelight admin create, or limelight admin reset-password",
    );
  }
  const { store, close } = await openSite(config, printLine);
  try {
    const context: UserContext = { store, passwords: createPasswords(), clock: Date.now };
    await (subcommand === "create" ? createOwner : resetOwnerPassword)(context, config);
  } catch (error) {
    throw error instanceof Refusal ? wrongUsage(error.message) : error;
  } finally {
    await close();
  }
  return 0;
}

async function createOwner(context: UserContext, config: Config): Promise<void> {
  const username = config.adminUsername ?? (await prompt("Username: "));
  const email = config.adminEmail ?? (await prompt("Email: "));
  const password =
    config.adminPassword ?? (await promptForSecret("Password (at least 12 characters): "));
  const user = await createUser(context, { username, email, password });
  await recordInAuditLog(context, `created the owner ${user.username} from the command line`);
  printLine(`Created the account ${user.username}. Log in at /admin/login.`);
}

async function resetOwnerPassword(context: UserContext, config: Config): Promise<void> {
  const login = config.adminUsername ?? (await prompt("Username or email: "));
  const password =
    config.adminPassword ?? (await promptForSecret("New password (at least 12 characters): "));
  const user = await resetPassword(context, login, password);
  await revokeInvitationsOf(context.store, user.id);
  await recordInAuditLog(context, `reset ${user.username}'s password from the command line`);
  printLine(
    `${user.username} has a new password and was logged out everywhere. The account's pending invitations, passkeys and authenticator app were removed.`,
  );
}

async function recordInAuditLog({ store, clock }: UserContext, action: string): Promise<void> {
  const audit = new AuditLog({ store, clock, log: printLine });
  audit.record({ kind: "people", action });
  await audit.whenFlushed();
}

let lineReader: AsyncIterator<string> | undefined;
let isEchoMuted = false;

/** Reads a line from standard input. Returns "" at the end of the input. */
async function prompt(question: string): Promise<string> {
  process.stdout.write(question);
  lineReader ??= openLineReader()[Symbol.asyncIterator]();
  const { value, done } = await lineReader.next();
  return done ? "" : value.trim();
}

async function promptForSecret(question: string): Promise<string> {
  isEchoMuted = true;
  try {
    return await prompt(question);
  } finally {
    isEchoMuted = false;
    process.stdout.write("\n");
  }
}

function openLineReader(): Interface {
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isEchoMuted) process.stdout.write(chunk as Uint8Array);
      done();
    },
  });
  return createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY ?? false });
}
