/** What the dashboard sends, checked as it comes in. */
import * as v from "valibot";
import { outcomeOf } from "../../schema/boundedText.ts";
import { invalid } from "../shared/errors.ts";
import { DASHBOARD_JSON, PUBLIC_JSON, readJson } from "./body.ts";

/**
 * The JSON of a request as the schema has it. Throws 422 with the words of the schema by field name, those about
 * the whole as `whole`; else as `readJson`.
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

/** What is wrong with one of a list is named after both: "at.2". */
function nameOf(path: readonly unknown[] = []): string | undefined {
  const [last, list] = path.toReversed();
  if (last === undefined) return undefined;
  return typeof last === "number" ? `${String(list)}.${last}` : String(last);
}

/** The fields of a body, by name; whoever takes one checks it. */
export type Fields = Readonly<Record<string, unknown>>;

const fieldsSchema = v.fallback(v.record(v.string(), v.unknown()), {});

/** The fields of a short JSON body, each as it was sent; of anything that has none, none. Throws as `readJson`. */
export async function readFields(request: Request): Promise<Fields> {
  return v.parse(fieldsSchema, await readJson(request, PUBLIC_JSON));
}
