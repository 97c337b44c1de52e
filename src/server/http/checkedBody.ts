/** Checks the bodies that the dashboard sends. */
import * as v from "valibot";
import { outcomeOf } from "../../schema/boundedText.ts";
import { invalid } from "../shared/errors.ts";
import { DASHBOARD_JSON, PUBLIC_JSON, readJson } from "./body.ts";

/**
 * The JSON body, checked against a schema. Throws a 422 with the schema's messages by field name (under `whole` for
 * the body itself); otherwise throws as `readJson`.
 */
export async function readChecked<S extends v.GenericSchema>(
  schema: S,
  request: Request,
  whole: string,
): Promise<v.InferOutput<S>> {
  const outcome = outcomeOf(schema, (await readJson(request, DASHBOARD_JSON)) ?? {});
  if (outcome.success) return outcome.output;
  const fields: Record<string, string> = {};
  for (const { path, message } of outcome.issues)
    fields[nameOf(path?.map(({ key }) => key)) ?? whole] ??= message;
  throw invalid(outcome.issues[0].message, fields);
}

/** An issue with a list item is named after both: "at.2". */
function nameOf(path: readonly unknown[] = []): string | undefined {
  const [last, list] = path.toReversed();
  if (last === undefined) return undefined;
  return typeof last === "number" ? `${String(list)}.${last}` : String(last);
}

/** The fields of a body by name, unchecked: whoever uses one checks it. */
export type Fields = Readonly<Record<string, unknown>>;

const fieldsSchema = v.fallback(v.record(v.string(), v.unknown()), {});

/** The fields of a short JSON body, unchecked; none for anything but an object. Throws as `readJson`. */
export async function readFields(request: Request): Promise<Fields> {
  return v.parse(fieldsSchema, await readJson(request, PUBLIC_JSON));
}
