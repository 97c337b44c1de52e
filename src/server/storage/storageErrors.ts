/** The refusals of the storage, each with a stable code and, where one fits, the status it is answered with. */

/** A write or a read did not reach the disk; nothing was changed. Answered with 503 (design §6). */
export class StorageUnavailable extends Error {
  readonly code = "storage_unavailable";
  readonly status = 503;
  override readonly name = "StorageUnavailable";

  constructor(what = "The change could not be stored, so nothing was changed.", cause?: unknown) {
    super(`${what} Try again in a few minutes.`, { cause });
  }
}

/** The data folder will not be opened; the message says why and what to do about it. */
export class StorageRefusal extends Error {
  readonly code = "storage_refusal";
  override readonly name = "StorageRefusal";
}

/** A record with this id or unique key is already stored. Answered with 409. */
export class Conflict extends Error {
  readonly code = "conflict";
  readonly status = 409;
  override readonly name = "Conflict";

  constructor(message = "This is already stored. Load it again and change what is there.") {
    super(message);
  }
}

/** A change produced something that does not fit its schema; names the places, never the values. */
export class InvalidValue extends Error {
  readonly code = "invalid_value";
  override readonly name = "InvalidValue";
}
