/**
 * Tags of TSDoc, JSDoc, TypeDoc, API Extractor and the Closure Compiler that do not describe values. They are ignored.
 */
export const foreignTags: ReadonlySet<string> = new Set(
  [
    // Tags of TSDoc and API Extractor.
    "alpha beta decorator eventProperty experimental inheritDoc internal label link override packageDocumentation param",
    "privateRemarks public remarks returns sealed see throws typeParam virtual betaDocumentation internalRemarks preapproved",
    // Tags of JSDoc.
    "abstract access alias arg argument async augments author borrows callback class classdesc const constant constructor",
    "constructs copyright desc description emits enum event exception exports extends external file fileoverview fileOverview fires func",
    "function generator global hideconstructor host ignore implements inheritdoc inner instance interface kind lends license",
    "listens member memberof memberOf method mixes mixin module namespace overview package private prop property protected",
    "requires return since static summary this todo tutorial typedef var variation version yield yields",
    // Tags of TypeDoc and TypeScript.
    "categoryDescription disableGroups document expand expandType group groupDescription hidden hideCategories",
    "hideGroups import include includeCode inline inlineType mergeModuleWith noInheritDoc overload preventExpand",
    "preventInline primaryExport reexport satisfies showCategories showGroups sortStrategy source template use",
    "useDeclaredType",
    // Tags of the Closure Compiler.
    "define dict export externs final idGenerator implicitCast modifies ngInject noalias nocollapse nocompile noinline",
    "nosideeffects polymer preserve record struct suppress unrestricted closurePrimitive customElement expose meaning mixinClass",
    "mixinFunction owner polymerBehavior typeSummary wizaction",
    // Tags for tools that read the first comment of a file.
    "cc_on flow generated jsx jsxFrag jsxImportSource jsxRuntime noflow noprettier prettier",
  ].flatMap((line) => line.split(" ")),
);

/** Tags whose text continues the text above them, as in JSDoc. */
export const textTags: ReadonlySet<string> = new Set(["description", "desc", "summary"]);

/** True for a comment that is an order to a tool, such as `@ts-expect-error` and `@vitest-environment`. */
export function isToolComment(name: string): boolean {
  return /^(ts|eslint|jest|vitest|prettier|jsx|cspell)-/.test(name);
}
