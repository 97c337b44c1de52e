/**
 * Checks that a component declares every prop that is spread into it. TypeScript checks excess props only where they
 * are written out, so a prop renamed on one side would be silently ignored on the other.
 */
import { expect, test } from "bun:test";
import { join, relative } from "node:path";
import { isJsxSpreadAttribute } from "typescript/unstable/ast/is";
import type { Expression, JsxSpreadAttribute, Node } from "typescript/unstable/ast";
import { API, type Checker, type Type, TypeFlags } from "typescript/unstable/async";

const ROOT = join(import.meta.dir, "..");

function findSpreads(node: Node, found: JsxSpreadAttribute[] = []): JsxSpreadAttribute[] {
  if (isJsxSpreadAttribute(node)) found.push(node);
  node.forEachChild((each) => void findSpreads(each, found));
  return found;
}

/** Returns the object types in a type such as that of `{...(isOpen && { id })}`. */
const getObjectTypes = async (type: Type | undefined): Promise<readonly Type[]> =>
  (type?.isUnionType() ? await type.getTypes() : type ? [type] : []).filter(
    ({ flags }) => (flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0,
  );

async function getNames(checker: Checker, types: readonly Type[]): Promise<string[]> {
  const members = await Promise.all(types.map((type) => checker.getPropertiesOfType(type)));
  return members.flat().map(({ name }) => name);
}

/** Finds the members of a spread object that its component or element doesn't declare. */
async function findUndeclared(checker: Checker, spread: JsxSpreadAttribute): Promise<string[]> {
  const [target, source] = await Promise.all([
    checker.getContextualType(spread.parent as unknown as Expression).then(getObjectTypes),
    checker.getTypeAtLocation(spread.expression).then(getObjectTypes),
  ]);
  const declared = new Set(["key", ...(await getNames(checker, target))]);
  const spreadNames = await getNames(checker, source);
  return spreadNames.filter((name) => !declared.has(name) && !name.startsWith("data-"));
}

test("a component declares every prop that is spread into it", async () => {
  const api = new API({ cwd: ROOT });
  try {
    const snapshot = await api.updateSnapshot({ openProject: join(ROOT, "tsconfig.json") });
    const { program, checker } = snapshot.getProjects()[0]!;
    const names = (await program.getSourceFileNames()).filter(
      (name) => name.startsWith(join(ROOT, "src/web/")) && name.endsWith(".tsx"),
    );
    const checked = await Promise.all(
      names.map(async (name) => {
        const spreads = findSpreads((await program.getSourceFile(name))!);
        return Promise.all(
          spreads.map(async (spread) => ({
            spread: `${relative(ROOT, name)}: ${spread.getText()}`,
            undeclared: await findUndeclared(checker, spread),
          })),
        );
      }),
    );
    expect(checked.flat().filter(({ undeclared }) => undeclared.length > 0)).toEqual([]);
    expect(checked.flat().length).toBeGreaterThan(100);
  } finally {
    await api.close();
  }
});
