import { schemaKey } from "../../contract/process-keys.ts";

/**
 * A model with a schema URN: `WithSchema<"urn:example:schema.user.1", User>`. The marker exists only for the build;
 * values may have `$schema`, but need not. Use it where a TSDoc tag `@schema` is not possible, for example for a
 * generic.
 */
export type WithSchema<Urn extends string, T> = T & { readonly $schema?: Urn };

/** Return type of `withSchema`: a class decorator for the standard and for TypeScript's older form. */
export type SchemaDecorator = <T extends abstract new (...args: never[]) => unknown>(
  target: T,
  context?: ClassDecoratorContext<T>,
) => void;

/**
 * Class decorator that gives a model class its schema URN: `@withSchema("urn:example:schema.user.1")`. The plugin reads
 * the literal at build time. At run time the class stores it for other tools. Use it on classes that are plain data.
 */
export function withSchema(urn: string): SchemaDecorator {
  return (target) => {
    Object.defineProperty(target, schemaKey, { value: urn, configurable: true });
  };
}
