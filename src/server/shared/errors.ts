/** The errors that the server throws on purpose: the class `Refusal`, and a function for each kind. */
import type { ErrorBody, ErrorCode } from "../../schema/core/http.ts";
import { VISITOR_REFUSALS } from "../../schema/core/refusals.ts";
import { getErrorCode } from "./errorDetails.ts";

/** The kinds of errors that end a startup or a command. If such an error occurs during a request, the status is 500. */
type FatalCode = "cannot_open" | "wrong_setting" | "usage" | "invalid_value";

const STATUS_BY_CODE: Readonly<Record<ErrorCode, number>> = {
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

interface RefusalDetails {
  /** Messages for the invalid fields of the input, by field name. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** The currently stored value, for `changed_elsewhere`. */
  readonly current?: unknown;
  /** The name of the refused entity, if a request has several entities. */
  readonly entityName?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
  /** True if the write may have been stored despite the error. */
  readonly isUncertain?: boolean;
  /** True if stored data is lost or damaged and can be restored from a backup. */
  readonly isDataLoss?: boolean;
  /** True if another process is using the folder or archive, so that a later attempt may succeed. */
  readonly isInUse?: boolean;
  readonly path?: string;
}

/**
 * An error that says why a request or a command was refused or failed. Nothing has changed, unless `isUncertain` is
 * true. `message` is a sentence for people; `code` is for programs and never changes.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";

  constructor(
    readonly code: ErrorCode | FatalCode,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message, { cause: details.cause });
  }

  /** The HTTP status; 500 for a `FatalCode`. */
  get status(): number {
    return (STATUS_BY_CODE as Partial<Record<string, number>>)[this.code] ?? 500;
  }

  get body(): ErrorBody {
    const { fields, current, entityName: name } = this.details;
    return {
      error: this.message,
      code: this.code in STATUS_BY_CODE ? (this.code as ErrorCode) : "internal",
      ...(fields && { fields }),
      ...(current !== undefined && { current }),
      ...(name !== undefined && { name }),
    };
  }
}

/** Runs `work` and returns its result. Adds the entity's name to a refusal that `work` throws. */
export function withEntityName<R>(entityName: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, error.message, { ...error.details, entityName });
  }
}

export function isRefusal(error: unknown, code: Refusal["code"]): error is Refusal {
  return error instanceof Refusal && error.code === code;
}

// Refusals of requests, by status.

/** 400: the request can't be read. */
export const malformed = (message: string) => new Refusal("malformed", message);

/** 401: the route needs a login, and the request has no session. */
export const noSession = () => new Refusal("no_session", "Please log in to do this.");

/** 401: the login failed. The message is the same for a wrong username and a wrong password. */
export const wrongCredentials = (message = "The username or password is wrong.") =>
  new Refusal("wrong_credentials", message);

/** 403: the user's role doesn't allow this. */
export const notAllowed = (
  message = "Your account isn't allowed to do this. Ask an owner of the site.",
  fields?: RefusalDetails["fields"],
) => new Refusal("not_allowed", message, { fields });

/** 403: the user must set up a second factor first. */
export const secondFactorSetupRequired = () =>
  new Refusal(
    "second_factor_due",
    "This site requires two-factor authentication. Set it up in the dashboard first.",
  );

/** 403: the write came from another site's page. */
export const foreignOrigin = () => new Refusal("foreign_origin", VISITOR_REFUSALS.foreignOrigin);

/** 403: the connection is unencrypted, so others could read a password. */
export const insecureConnection = () =>
  new Refusal(
    "insecure",
    "You can't log in here: this connection isn't encrypted, so others could read your password. Use the site's https:// address. If you run the server, see \"HTTPS\" in docs/operating.md.",
  );

/** 403: the user must confirm the password first. The dashboard then asks for the password. */
export const reauthenticationRequired = () =>
  new Refusal("proof_needed", "Confirm your password first, then try again.");

export const notFound = (message: string = VISITOR_REFUSALS.notFound) =>
  new Refusal("not_found", message);

/** 404: an item or record no longer exists. `label` is the label of its entity. */
export const noLongerExists = ({ label }: { readonly label: string }) =>
  notFound(`This ${label.toLowerCase()} no longer exists.`);

/** 408: the body arrived too slowly. Closes the connection, because the rest of the body isn't read. */
export const requestTimeout = () =>
  new Refusal("timeout", VISITOR_REFUSALS.tooSlow, CLOSE_CONNECTION);

/** 409: the request conflicts with the stored data. */
export const conflict = (message = "This already exists. Reload the list.") =>
  new Refusal("conflict", message);

/** 412: someone else saved first. `current` is the stored value, and `etag` is its ETag. */
export const staleVersion = (current: unknown, etag: string) =>
  new Refusal("changed_elsewhere", "Someone else has saved this since you loaded it.", {
    current,
    headers: { etag },
  });

export const tooLarge = (message: string, headers?: Readonly<Record<string, string>>) =>
  new Refusal("too_large", message, headers && { headers });

/** 413: the body has more than `limit` bytes. Closes the connection, because the rest of the body isn't read. */
export function bodyTooLarge(limit: number): Refusal {
  const kilobytes = limit / 1024;
  const amount = kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`;
  const message = VISITOR_REFUSALS.tooLarge.replace("{most}", amount);
  return new Refusal("too_large", message, CLOSE_CONNECTION);
}

/** 415: the route doesn't accept this type of body. */
export const wrongType = (message: string) => new Refusal("wrong_type", message);

/** 421: the request's Host header isn't this site's host. */
export const wrongHost = () => new Refusal("wrong_host", VISITOR_REFUSALS.wrongHost);

/** 422: invalid input; `fields` has a message for each field. */
export const invalidInput = (message: string, fields?: Readonly<Record<string, string>>) =>
  new Refusal("invalid", message, { fields });

/** 422: one field is invalid. */
export const invalidField = (field: string, message: string) =>
  invalidInput(message, { [field]: message });

/** 429: too many attempts. The next attempt is accepted after `seconds`. */
export const tooManyRequests = (message: string, seconds: number) =>
  new Refusal("too_many_requests", message, {
    headers: { "retry-after": String(Math.max(1, Math.ceil(seconds))) },
  });

/** 500: an unexpected error. The message contains no details of the error. */
export const internalError = () => new Refusal("internal", VISITOR_REFUSALS.internalError);

/** 503: reading or writing the disk failed; nothing has changed. */
export const cannotStore = (message: string = VISITOR_REFUSALS.notSaved, cause?: unknown) =>
  new Refusal("cannot_store", message, { cause });

/** 503: the response to a write was lost, so nobody knows whether the write was stored. */
export const uncertainWrite = (cause?: unknown) =>
  new Refusal("cannot_store", VISITOR_REFUSALS.perhapsSaved, { cause, isUncertain: true });

/** Whether a failed write may have been stored despite the error. The caller must not undo any part of such a write. */
export const isUncertainWrite = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isUncertain === true;

const CLOSE_CONNECTION = { headers: { connection: "close" } } as const;

// Refusals that end a startup or a command; the message explains what to do.

/** A data folder or an archive can't be opened as it is. */
export const cannotOpen = (message: string, cause?: unknown) =>
  new Refusal("cannot_open", message, { cause });

/** Another process is using the data folder or archive. */
export const inUse = (message: string, cause?: unknown) =>
  new Refusal("cannot_open", message, { cause, isInUse: true });

export const isInUse = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isInUse === true;

/** Part of a folder or an archive is lost or damaged; the message advises restoring a backup. */
export const cannotOpenDamaged = (
  message: string,
  details: Pick<RefusalDetails, "cause" | "path"> = {},
) => new Refusal("cannot_open", message, { ...details, isDataLoss: true });

/** Returns a refusal with the path of a folder in place of the path of the folder's copy. */
export function withFolderPath(refusal: Refusal, copyPath: string, folderPath: string): Refusal {
  const { path, ...details } = refusal.details;
  const replaceCopyPath = (text: string) => text.replaceAll(copyPath, folderPath);
  return new Refusal(refusal.code, replaceCopyPath(refusal.message), {
    ...details,
    ...(path !== undefined && { path: replaceCopyPath(path) }),
    cause: refusal,
  });
}

export const isDataLoss = (error: unknown): boolean =>
  error instanceof Refusal && error.details.isDataLoss === true;

export const wrongSetting = (message: string) => new Refusal("wrong_setting", message);

export const wrongUsage = (message: string) => new Refusal("usage", message);

/** The program tried to store a value that its own schema rejects, which is a bug. The message contains no values. */
export const schemaViolation = (message: string) => new Refusal("invalid_value", message);

/** Describes a failure for people: a refusal's message, else the error's code. Other messages are for programmers. */
export const describeError = (error: unknown): string =>
  error instanceof Refusal ? error.message : (getErrorCode(error) ?? "an unexpected failure");
