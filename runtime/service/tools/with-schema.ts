/**
 * A model with a schema URN: `WithSchema<"urn:example:schema.user.1", User>`. The marker exists for the build only;
 * values may carry `$schema`, and need not. Use it where a TSDoc `@schema` has no place, for example on a generic.
 */
export type WithSchema<Urn extends string, T> = T & { readonly $schema?: Urn };

/** What `withSchema` returns: a class decorator for the standard and for TypeScript's older form. */
export type SchemaDecorator = <T extends abstract new (...args: never[]) => unknown>(
  target: T,
  context?: ClassDecoratorContext<T>,
) => void;

/** Key under which a class decorated with `withSchema` keeps its URN. */
const schemaKey: symbol = Symbol.for("tenon.schema");

/**
 * Class decorator that gives a model class its schema URN: `@withSchema("urn:example:schema.user.1")`. The plugin reads
 * the literal at build time, and at run time the class keeps it for tools that look. Use it on classes that are plain
 * data.
 */
export function withSchema(urn: string): SchemaDecorator {
  return (target) => {
    Object.defineProperty(target, schemaKey, { value: urn, configurable: true });
  };
}
