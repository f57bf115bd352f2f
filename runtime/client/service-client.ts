import type { BinaryResult } from "../job/binary-result.ts";
import type { Content, Message } from "../job/content.ts";
import type { ContentResult } from "./content-result.ts";
import type { HiddenName } from "./hidden-names.ts";
import type { CallerRequestOf, ToolFunction } from "./request-types.ts";
import type { ToolClient, WaitingToolClient } from "./tool-client.ts";

/**
 * Client with a function for each tool of a module or of an object of functions, such as `typeof tools`. `Names`: the
 * names of the parameters of each tool; `Messages`: the messages that its jobs wait for. `tenon client --names`
 * generates both.
 */
export type ServiceClient<Tools extends object, Names extends object = object, Messages extends object = object> = {
  readonly [
    Name in keyof Tools as Tools[Name] extends ToolFunction ? Exclude<Name, HiddenName> : never
  ]: Tools[Name] extends ToolFunction
    ? ToolWith<
        CallerRequestOf<Tools[Name], Name extends keyof Names ? Names[Name] : undefined>,
        ClientResult<Awaited<ReturnType<Tools[Name]>>>,
        Name extends keyof Messages ? Messages[Name] : undefined
      >
    : never;
};

type ToolWith<Request, Result, Messages> = Messages extends object
  ? WaitingToolClient<Request, Result, Messages>
  : ToolClient<Request, Result>;

type Part = Content | Message | string;

/** The result of a tool in the form in which callers get it. */
export type ClientResult<Result> = [Result] extends [BinaryResult]
  ? Blob
  : [Result] extends [string]
    ? Result
    : [Result] extends [Part | readonly Part[]]
      ? ContentResult
      : [Result] extends [undefined | void]
        ? undefined
        : ClientValue<Result>;

/** The data of a value: methods are not sent, and a `Buffer` arrives as a `Uint8Array`. */
export type ClientValue<T> = unknown extends T
  ? T
  : T extends string | number | boolean | bigint | null | undefined | Date | URL
    ? T
    : T extends Uint8Array
      ? Uint8Array
      : // Maps are tested before sets, since a map has all members of a set.
        T extends ReadonlyMap<infer Key, infer Item>
        ? Map<Key, ClientValue<Item>>
        : T extends ReadonlySet<infer Item>
          ? Set<ClientValue<Item>>
          : T extends readonly unknown[]
            ? { [Index in keyof T]: ClientValue<T[Index]> }
            : T extends object
              ? { [Key in keyof T as T[Key] extends (...given: never[]) => unknown ? never : Key]: ClientValue<T[Key]> }
              : T;
