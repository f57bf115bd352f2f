import { ts } from "ts-morph";
import { openZod, schemaDeclaration } from "../zod/read-zod.ts";
import { typeText } from "../zod/shape-text.ts";
import type { Draft, Drafts } from "./drafts.ts";

/** Matches the utility types by which libraries infer a type from a schema. */
const inferring = /^(?:\w+\.)?(?:infer|output|input|TypeOf|InferSchema)$/;

/** Returns the generated type for `z.infer<typeof schema>`; undefined for other types. */
export function inferredType(drafts: Drafts, draft: Draft, node: ts.TypeReferenceNode): string | undefined {
  const [argument] = node.typeArguments ?? [];
  if (!inferring.test(node.typeName.getText()) || argument === undefined || !ts.isTypeQueryNode(argument))
    return undefined;
  const declaration = schemaDeclaration(drafts.context, argument.exprName);
  if (declaration === undefined || !ts.isIdentifier(argument.exprName)) return undefined;
  const shape = openZod(drafts.context).read({ node: argument.exprName, bound: new Map() });
  return typeText(shape, (type) => drafts.use(draft, type));
}
