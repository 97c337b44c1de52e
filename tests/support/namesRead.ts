/** The fields, headers and query parameters that the program reads, recorded while it reads them. */

/** By their place; fields of a body as paths such as `account.host` or `updates.0.id`. */
export interface NamesRead {
  readonly fields: Set<string>;
  readonly headers: Set<string>;
  readonly query: Set<string>;
}

/** Runs `call`, and returns what was read meanwhile; JSON only from `body`. */
export async function namesRead(call: () => Promise<unknown>, body?: string): Promise<NamesRead> {
  const read: NamesRead = { fields: new Set(), headers: new Set(), query: new Set() };
  const { parse } = JSON;
  const [header, part] = [Headers.prototype.get, URLSearchParams.prototype.get];
  JSON.parse = (text, ...args) => {
    const value: unknown = parse(text, ...args);
    return text === body ? watched(value, "", read.fields) : value;
  };
  Headers.prototype.get = function (name) {
    read.headers.add(name.toLowerCase());
    return header.call(this, name);
  };
  URLSearchParams.prototype.get = function (name) {
    read.query.add(name);
    return part.call(this, name);
  };
  try {
    await call();
  } finally {
    JSON.parse = parse;
    Headers.prototype.get = header;
    URLSearchParams.prototype.get = part;
  }
  return read;
}

/** The same value, recording the names that are read. */
function watched(value: unknown, path: string, names: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((each, at) => watched(each, `${path}${at}.`, names));
  if (typeof value !== "object" || value === null) return value;
  const note = (name: string | symbol) => {
    // Properties of every object aren't fields.
    if (typeof name === "string" && !(name in Object.prototype) && name !== "toJSON")
      names.add(path + name);
  };
  const inside = Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, watched(each, `${path}${name}.`, names)]),
  );
  return new Proxy(inside, {
    get: (target, name) => (note(name), Reflect.get(target, name)),
    has: (target, name) => (note(name), Reflect.has(target, name)),
  });
}
