import type { JobContext } from "../executor/run/job-context.ts";

/** A tool's function, as its author wrote it. */
export type ToolFunction = (...parameters: never[]) => unknown;

/**
 * A value as a test may write it: as the function takes it (`Date`, `URL`, `bigint`, bytes, `Set`, `Map`), or as JSON
 * carries it. It is encoded first; then the tool's own validator and decoder run.
 */
export type WireValue<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date | URL | bigint | Uint8Array
    ? T | string
    : // A map has all members of a set.
      T extends ReadonlyMap<string, infer Item>
      ? T | { readonly [key: string]: WireValue<Item> }
      : T extends ReadonlySet<infer Item>
        ? T | readonly WireValue<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]: WireValue<T[Key]> }
          : T;

/** The parameters of a function without its `JobContext`. */
type DataParameters<Parameters extends readonly unknown[]> = number extends Parameters["length"]
  ? []
  : Parameters extends readonly []
    ? []
    : Parameters extends readonly [(infer First)?, ...infer Rest]
      ? [NonNullable<First>] extends [JobContext]
        ? DataParameters<Rest>
        : [First, ...DataParameters<Rest>]
      : [];

/** Positional parameters become one request with a field for each name. Types do not know these names. */
type PositionalRequest = { readonly [parameter: string]: unknown };

type RequestOfData<Data extends readonly unknown[]> = Data extends readonly [infer Only]
  ? NonNullable<Only> extends string | number | boolean | bigint | readonly unknown[] | Uint8Array | Date | URL
    ? PositionalRequest
    : WireValue<Only>
  : PositionalRequest;

/** The request that a tool takes: its request model, or an object with a field for each parameter. */
export type RequestOf<Tool extends ToolFunction> = RequestOfData<DataParameters<Parameters<Tool>>>;

/** The same for a caller that may leave out a request without fields. */
export type CallerRequestOf<Tool extends ToolFunction> =
  DataParameters<Parameters<Tool>> extends readonly [] ? PositionalRequest | undefined : RequestOf<Tool>;

/** Arguments of `callTool` after the tool; a tool without data parameters needs no request. */
export type CallArguments<Tool extends ToolFunction, Options> =
  DataParameters<Parameters<Tool>> extends readonly []
    ? readonly [request?: PositionalRequest, options?: Options]
    : readonly [request: RequestOf<Tool>, options?: Options];

/** Result of a tool, without the promise. */
export type ResultOf<Tool extends ToolFunction> = Awaited<ReturnType<Tool>>;
