/** The one error that the server throws deliberately, and every kind of it. */
import type { ErrorBody, ErrorCode } from "../../schema/core/errors.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { errorCode } from "./errorDetails.ts";

/** Kinds that end a startup or a command; a request that meets one gets a 500. */
type FatalCode = "cannot_open" | "wrong_setting" | "usage" | "invalid_value";

/** The HTTP status of each kind that can be a response. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  malformed: 400,
  no_session: 401,
  wrong_credentials: 401,
  second_factor: 401,
  second_factor_due: 403,
  not_allowed: 403,
  foreign_origin: 403,
  insecure: 403,
  proof_needed: 403,
  not_found: 404,
  timeout: 408,
  conflict: 409,
  changed_elsewhere: 412,
  too_large: 413,
  wrong_type: 415,
  wrong_host: 421,
  invalid: 422,
  too_many_requests: 429,
  internal: 500,
  cannot_store: 503,
};

/** A refusal's details in addition to its kind and message. */
interface Details {
  /** Messages by field name, when the refusal is about input. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The value stored now, with `changed_elsewhere`. */
  readonly current?: unknown;
  /** The entity it is about, where a request names several. */
  readonly name?: string;
  /** Extra response headers. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** It may have been stored. */
  readonly isUncertain?: boolean;
  /** Something stored is lost or damaged, which a backup has. */
  readonly isLoss?: boolean;
  /** Another process has it open, perhaps only for a moment. */
  readonly isInUse?: boolean;
  /** The file it is about. */
  readonly path?: string;
}

/**
 * Something was refused or failed, and nothing has changed, unless it `isUncertain`. `message` is a sentence for people; `code` is stable, for
 * programs. `http/errors.ts` turns it into a response, `cli/run.ts` into a line.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly code: ErrorCode | FatalCode,
    message: string,
    readonly details: Details = {},
  ) {
    super(message, { cause: details.cause });
  }

  /** The HTTP status; 500 for a kind that isn't a response. */
  get status(): number {
    return (STATUS as Partial<Record<string, number>>)[this.code] ?? 500;
  }

  get body(): ErrorBody {
    const { fields, current, name } = this.details;
    return {
      error: this.message,
      code: this.code in STATUS ? (this.code as ErrorCode) : "internal",
      ...(fields && { fields }),
      ...(current !== undefined && { current }),
      ...(name !== undefined && { name }),
    };
  }
}

/** Returns what `act` returns; adds the entity's name to any refusal. */
export function withEntityName<R>(name: string, act: () => R): R {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { ...error.details, name });
  }
}

/** Whether an error is a refusal of this kind. */
export function isRefusal(error: unknown, code: Refusal["code"]): error is Refusal {
  return error instanceof Refusal && error.code === code;
}

// Refusals of requests, by status.

/** 400: the request can't be read. */
export const malformed = (message: string) => new Refusal("malformed", message);

/** 401: an owner's route without a session. */
export const noSession = () => new Refusal("no_session", "Please log in to do this.");

/** 401: the same for a wrong username, email address or password, so that none can be guessed separately. */
export const wrongCredentials = (message = "The username or password is wrong.") =>
  new Refusal("wrong_credentials", message);

/** 403: the user's role doesn't include this. */
export const notAllowed = (
  message = "Your account isn't allowed to do this. Ask an owner of the site.",
  fields?: Details["fields"],
) => new Refusal("not_allowed", message, { fields });

/** 403: the user has to set up a second factor first. */
export const secondFactorSetupRequired = () =>
  new Refusal(
    "second_factor_due",
    "This site requires two-factor authentication. Set it up in the dashboard first.",
  );

/** 403: a write from another site's page. */
export const foreignOrigin = () => new Refusal("foreign_origin", VISITOR_REFUSALS.foreignOrigin);

/** 403: a password over an unencrypted connection. */
export const insecureConnection = () =>
  new Refusal(
    "insecure",
    "Logging in is blocked here: this address isn't encrypted, so others could read your password. Use the site's https:// address. For whoever runs the server: docs/operating.md explains the setup.",
  );

/** 403: needs the password again; the dashboard then asks for it. */
export const reauthenticationRequired = () =>
  new Refusal("proof_needed", "Confirm your password first, then try again.");

export const notFound = (message: string = VISITOR_REFUSALS.notFound) =>
  new Refusal("not_found", message);

/** 404: a declared entity's item or record that doesn't exist, or no longer does. */
export const noLongerExists = ({ label }: { readonly label: string }) =>
  notFound(`This ${label.toLowerCase()} no longer exists.`);

/** 408: the body came too slowly; the connection closes, as the rest isn't read. */
export const timeout = () => new Refusal("timeout", VISITOR_REFUSALS.tooSlow, CLOSING);

/** 409: the request conflicts with what is stored. */
export const conflict = (message = "This already exists. Reload the list.") =>
  new Refusal("conflict", message);

/** 412: someone else saved first. `current` is what is stored now, `etag` its ETag. */
export const changedSince = (current: unknown, etag: string) =>
  new Refusal("changed_elsewhere", "Someone else has saved this since you loaded it.", {
    current,
    headers: { etag },
  });

/** 413 */
export const tooLarge = (message: string, headers?: Readonly<Record<string, string>>) =>
  new Refusal("too_large", message, headers && { headers });

/** 413: a body of more than `limit` bytes; the connection closes, as the rest isn't read. */
export function bodyTooLarge(limit: number): Refusal {
  const kilobytes = limit / 1024;
  const amount = kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`;
  const message = VISITOR_REFUSALS.tooLarge.replace("{most}", amount);
  return new Refusal("too_large", message, CLOSING);
}

/** 415: a body type that the route doesn't accept. */
export const wrongType = (message: string) => new Refusal("wrong_type", message);

/** 421: a Host other than this site's. */
export const wrongHost = () => new Refusal("wrong_host", VISITOR_REFUSALS.wrongHost);

/** 422: invalid input; `fields` has a message for each field. */
export const invalid = (message: string, fields?: Readonly<Record<string, string>>) =>
  new Refusal("invalid", message, { fields });

/** 429: too many tries; the next one is accepted in `seconds`. */
export const tooManyRequests = (message: string, seconds: number) =>
  new Refusal("too_many_requests", message, {
    headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) },
  });

/** 500: an unexpected error; the message reveals nothing about it. */
export const internal = () => new Refusal("internal", VISITOR_REFUSALS.fault);

/** 503: reading or writing the disk failed; nothing has changed. */
export const cannotStore = (message: string = VISITOR_REFUSALS.notSaved, cause?: unknown) =>
  new Refusal("cannot_store", message, { cause });

/** 503: the response to a write was lost, so it is unknown whether it was stored. */
export const perhapsStored = (cause?: unknown) =>
  new Refusal("cannot_store", VISITOR_REFUSALS.perhapsSaved, { cause, isUncertain: true });

/** Whether a write that failed may have been stored nevertheless: no part of it may be undone. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isUncertain === true;

const CLOSING = { headers: { connection: "close" } } as const;

// These end a startup or a command; the message explains what to do.

/** A data folder or an archive that can't be opened as it is. */
export const cannotOpen = (message: string, cause?: unknown) =>
  new Refusal("cannot_open", message, { cause });

/** The same for something that another process has open. */
export const inUse = (message: string, cause?: unknown) =>
  new Refusal("cannot_open", message, { cause, isInUse: true });

/** Whether another process has open what an error is about. */
export const isInUse = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isInUse === true;

/** A folder or an archive with something lost or damaged: the message advises restoring a backup. */
export const cannotOpenLost = (message: string, details: Pick<Details, "cause" | "path"> = {}) =>
  new Refusal("cannot_open", message, { ...details, isLoss: true });

/** The refusal of a folder's copy, with a message about the folder itself. */
export function refusedAt(refusal: Refusal, copy: string, folder: string): Refusal {
  const { path, ...details } = refusal.details;
  const withFolder = (text: string) => text.replaceAll(copy, folder);
  return new Refusal(refusal.code, withFolder(refusal.message), {
    ...details,
    ...(path !== undefined && { path: withFolder(path) }),
    cause: refusal,
  });
}

/** Whether a backup contains the data that an error is about. */
export const isLoss = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isLoss === true;

/** A setting with an invalid value. */
export const wrongSetting = (message: string) => new Refusal("wrong_setting", message);

/** A wrong command line. */
export const wrongUsage = (message: string) => new Refusal("usage", message);

/** The program tried to store what its own schema rejects: a bug. The message names only positions, no values. */
export const invalidValue = (message: string) => new Refusal("invalid_value", message);

/**
 * Why something failed, for people: a refusal's message, or the error's code. The message of a library or of the
 * runtime is for whoever wrote the call, and would be a riddle: "undefined is not an object".
 */
export const reasonIn = (error: unknown): string =>
  error instanceof Refusal ? error.message : (errorCode(error) ?? "an unexpected failure");
