import { ts } from "ts-morph";
import { placeOf, report, type Reading } from "../../base/reading.ts";
import { synonymOf } from "../../base/tag-synonyms.ts";

/** Packages whose decorators only validate or convert input from callers. */
const checkers: ReadonlySet<string> = new Set(["class-validator", "class-transformer"]);

/** Reports decorators of validation libraries on a field. They do not run, since requests are plain objects. */
export function reportDecorators(reading: Reading, declaration: ts.Declaration): void {
  for (const decorator of ts.canHaveDecorators(declaration) ? (ts.getDecorators(declaration) ?? []) : []) {
    const { expression } = decorator;
    const callee = ts.isCallExpression(expression) ? expression.expression : expression;
    const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
    const source = packageOf(reading, ts.isPropertyAccessExpression(callee) ? callee.expression : callee);
    const ours = synonymOf(name);
    if (source === undefined || (ours === undefined && !checkers.has(source))) continue;
    report(reading, {
      code: "TN109",
      place: placeOf(decorator),
      message: `\`@${name}\` of ${source} is a decorator, and no call runs its check: the type and the tags in its comment say what callers may send.`,
      fix:
        ours === undefined
          ? "remove it, and write its rule as the type, or as a tag in the comment"
          : `write ${ours}${ours.includes("`@") ? " in the comment" : ""}`,
    });
  }
}

/** Returns the package from which a name is imported; undefined for a name of the project. */
function packageOf({ checker }: Reading, name: ts.Expression): string | undefined {
  const declared = checker.getSymbolAtLocation(name)?.declarations?.[0];
  const statement = declared && ts.findAncestor(declared, ts.isImportDeclaration);
  const specifier = statement && ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : "";
  return /^(?![./#]|node:)((?:@[^/]+\/)?[^/]+)/.exec(specifier)?.[1];
}
