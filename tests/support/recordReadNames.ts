/** Records the fields, headers and query parameters that the program reads. */

/**
 * Runs `call`, and returns the names that were read meanwhile. Only fields of `body` are recorded, as paths such as
 * `account.host` or `updates.0.id`.
 */
export async function recordReadNames(call: () => Promise<unknown>, body?: string) {
  const [fields, headers, query] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const { parse } = JSON;
  const [getHeader, getParameter] = [Headers.prototype.get, URLSearchParams.prototype.get];
  JSON.parse = (text, ...args) => {
    const value: unknown = parse(text, ...args);
    return text === body ? createRecordingProxy(value, "", fields) : value;
  };
  Headers.prototype.get = function (name) {
    headers.add(name.toLowerCase());
    return getHeader.call(this, name);
  };
  URLSearchParams.prototype.get = function (name) {
    query.add(name);
    return getParameter.call(this, name);
  };
  try {
    await call();
  } finally {
    JSON.parse = parse;
    Headers.prototype.get = getHeader;
    URLSearchParams.prototype.get = getParameter;
  }
  return { fields, headers, query };
}

/** Returns the same value in a proxy that records the names that are read. */
function createRecordingProxy(value: unknown, path: string, names: Set<string>): unknown {
  if (Array.isArray(value))
    return value.map((each, at) => createRecordingProxy(each, `${path}${at}.`, names));
  if (typeof value !== "object" || value === null) return value;
  const record = (name: string | symbol) => {
    // Properties that every object has aren't fields.
    if (typeof name === "string" && !(name in Object.prototype) && name !== "toJSON")
      names.add(path + name);
  };
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      createRecordingProxy(each, `${path}${name}.`, names),
    ]),
  );
  return new Proxy(copy, {
    get: (target, name) => (record(name), Reflect.get(target, name)),
    has: (target, name) => (record(name), Reflect.has(target, name)),
  });
}
