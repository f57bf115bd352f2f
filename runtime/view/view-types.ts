import type { ContentBlock } from "../contract/contract.ts";

/** A tool's function, as its author wrote it. */
export type ToolFunction = (...parameters: never[]) => unknown;

/** A value in JSON's form: dates, addresses, big integers and bytes are text, sets are lists, maps are objects. */
export type ViewValue<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends Date | URL | bigint | Uint8Array
    ? string
    : T extends ReadonlySet<infer Item>
      ? readonly ViewValue<Item>[]
      : T extends ReadonlyMap<string, infer Item>
        ? { readonly [key: string]: ViewValue<Item> }
        : T extends readonly (infer Item)[]
          ? // A list is typed by its items, so that a type may contain itself; a tuple by its positions.
            number extends T["length"]
            ? readonly ViewValue<Item>[]
            : { readonly [Index in keyof T]: ViewValue<T[Index]> }
          : T extends object
            ? { readonly [Key in keyof T as T[Key] extends ToolFunction ? never : Key]: ViewValue<T[Key]> }
            : T;

/** A `JobContext`, without its types of Node: views are compiled for browsers. */
interface JobContext {
  readonly jobId: string;
  readonly jobAuthorization: string | undefined;
}

/** Parameters in JSON's form, without the `JobContext`. */
type ViewParameters<Parameters extends readonly unknown[]> = number extends Parameters["length"]
  ? ViewValue<Parameters>
  : Parameters extends readonly []
    ? []
    : Parameters extends readonly [infer First, ...infer Rest]
      ? [NonNullable<First>] extends [JobContext]
        ? ViewParameters<Rest>
        : [ViewValue<First>, ...ViewParameters<Rest>]
      : Parameters extends readonly [(infer First)?, ...infer Rest]
        ? [NonNullable<First>] extends [JobContext]
          ? ViewParameters<Rest>
          : [ViewValue<First>?, ...ViewParameters<Rest>]
        : [];

/** Arguments of a call: those of the function, in JSON's form and without the `JobContext`. */
export type ViewArguments<Tool extends ToolFunction> = Extract<ViewParameters<Parameters<Tool>>, readonly unknown[]>;

/** Results that reach a view only as blocks of content. */
type NotData = Uint8Array | { readonly contentType: string; readonly content: unknown };

/**
 * Result of a tool in JSON's form; undefined for pictures, sound, other bytes and `Content`, which are blocks of
 * content.
 */
export type ViewResult<Tool extends ToolFunction> = ViewValue<
  Exclude<Awaited<ReturnType<Tool>>, NotData | void> | Extract<Awaited<ReturnType<Tool>>, undefined>
>;

/** A block of content as MCP writes it. */
export type ViewContent = ContentBlock;

/** The latest progress report of a running call. */
export interface ViewProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Properties of the host, as far as it provides them. */
export interface ViewHost {
  readonly name?: string;
  readonly theme?: "light" | "dark";
  /** Language of the user as a BCP 47 tag. */
  readonly locale?: string;
  /** Time zone of the user, by its IANA name. */
  readonly timeZone?: string;
  readonly displayMode?: "inline" | "fullscreen" | "pip";
  readonly platform?: "web" | "desktop" | "mobile";
}

/** State of the call to which the view belongs, or of the view's own last call. */
export interface ToolState<Tool extends ToolFunction> {
  /** `waiting`: the host has not sent the arguments yet; `running`: the arguments are known, and the call runs. */
  readonly status: "waiting" | "running" | "done" | "failed" | "cancelled";
  /** The arguments of the call; undefined until the host has sent them. */
  readonly args?: ViewArguments<Tool>;
  /** The result of the last call that succeeded. */
  readonly result?: ViewResult<Tool>;
  /** Content of the last answer. */
  readonly content: readonly ViewContent[];
  /** Text of an error; set with `failed` and `cancelled`. */
  readonly error?: string;
  /** The latest progress report of the view's own call. */
  readonly progress?: ViewProgress;
  readonly host: ViewHost;
}

/** Requests of a view to its host. */
export interface ToolActions<Tool extends ToolFunction> {
  /**
   * Calls the tool again; the view's state changes with it.
   *
   * @throws Error with the tool's message
   */
  call(...args: ViewArguments<Tool>): Promise<ViewResult<Tool>>;
  /**
   * Calls another tool of the service; the view's state does not change.
   *
   * @param request The arguments by name.
   * @throws Error with the tool's message
   */
  callTool<Other extends ToolFunction>(name: string, request?: object): Promise<ViewResult<Other>>;
  /** Opens an address in the browser. Returns false if the host refused. */
  openLink(url: string): Promise<boolean>;
  /** Writes a message into the conversation in the user's name. Returns false if the host refused. */
  sendMessage(text: string): Promise<boolean>;
}

/** The connection of a view with its host. */
export interface ConnectedTool<Tool extends ToolFunction> extends ToolActions<Tool> {
  readonly name: string;
  readonly state: ToolState<Tool>;
  /** Calls the listener with the state now, and after each change. Returns a function that unsubscribes. */
  subscribe(listener: (state: ToolState<Tool>) => void): () => void;
}
