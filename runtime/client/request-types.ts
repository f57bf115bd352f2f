import type { JobContext } from "../executor/run/job-context.ts";

/** A tool's function, as its author wrote it. */
export type ToolFunction = (...parameters: never[]) => unknown;

/**
 * A value as a test may write it: in the classes that the function takes (`Date`, `URL`, `bigint`, bytes, `Set`,
 * `Map`), or as JSON. The test library encodes it, so that the tool's own validator and decoder run.
 */
export type WireValue<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date | URL | bigint | Uint8Array
    ? T | string
    : // Maps are tested before sets, since a map has all members of a set.
      T extends ReadonlyMap<string, infer Item>
      ? T | { readonly [key: string]: WireValue<Item> }
      : T extends ReadonlySet<infer Item>
        ? T | readonly WireValue<Item>[]
        : T extends object
          ? { readonly [Key in keyof T]: WireValue<T[Key]> }
          : T;

/** The parameters of a function without its `JobContext`; an optional parameter may be undefined. */
type DataParameters<Parameters extends readonly unknown[]> = number extends Parameters["length"]
  ? []
  : Parameters extends readonly []
    ? []
    : Parameters extends readonly [infer First, ...infer Rest]
      ? DataOf<First, First, Rest>
      : Parameters extends readonly [(infer First)?, ...infer Rest]
        ? DataOf<First, First | undefined, Rest>
        : [];

/** Members by which a `JobContext` is recognised, even if it comes from another copy of the package. */
type KnownContext = Pick<JobContext, "jobId" | "signal">;

type DataOf<Parameter, Given, Rest extends readonly unknown[]> = [NonNullable<Parameter>] extends [KnownContext]
  ? DataParameters<Rest>
  : [Given, ...DataParameters<Rest>];

/**
 * Combines positional parameters into one request with a field for each name. The type of a function has no parameter
 * names, so without `Names` each field accepts the type of any parameter.
 */
type PositionalRequest<Data extends readonly unknown[], Names> = Names extends readonly string[]
  ? Flat<NamedFields<Data, Names>>
  : { readonly [parameter: string]: WireValue<Data[number]> | undefined };

type NamedFields<Data extends readonly unknown[], Names extends readonly string[]> = Data extends readonly [
  infer Value,
  ...infer Values,
]
  ? Names extends readonly [infer Name extends string, ...infer Others extends readonly string[]]
    ? NamedField<Name, Value> & NamedFields<Values, Others>
    : unknown
  : unknown;

type NamedField<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: WireValue<Value> }
  : { readonly [Key in Name]: WireValue<Value> };

type Flat<T> = { readonly [Key in keyof T]: T[Key] };

type RequestOfData<Data extends readonly unknown[], Names> = Data extends readonly [infer Only]
  ? NonNullable<Only> extends string | number | boolean | bigint | readonly unknown[] | Uint8Array | Date | URL
    ? PositionalRequest<Data, Names>
    : WireValue<Exclude<Only, undefined>>
  : PositionalRequest<Data, Names>;

/** The request of a tool: its request model, or an object with a field for each parameter. */
export type RequestOf<Tool extends ToolFunction, Names = undefined> = RequestOfData<
  DataParameters<Parameters<Tool>>,
  Names
>;

type NoRequest = { readonly [parameter: string]: never };

/** The request as a caller passes it; optional if it has no fields. */
export type CallerRequestOf<Tool extends ToolFunction, Names = undefined> =
  DataParameters<Parameters<Tool>> extends readonly [] ? NoRequest | undefined : RequestOf<Tool, Names>;

/** Arguments of `callTool` after the tool; a tool without data parameters needs no request. */
export type CallArguments<Tool extends ToolFunction, Options> =
  DataParameters<Parameters<Tool>> extends readonly []
    ? readonly [request?: NoRequest, options?: Options]
    : readonly [request: RequestOf<Tool>, options?: Options];

/** Result of a tool, without the promise. */
export type ResultOf<Tool extends ToolFunction> = Awaited<ReturnType<Tool>>;
