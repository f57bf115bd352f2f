import type { Position } from "./type.ts";

/** The module with helpers for results, as the origin of an import. */
export const resultsModule = "adopt:results";
/** Stands before the path of a foreign file whose module is imported. */
export const adoptedPrefix = "adopt:";

/** A line of a foreign service that was not carried over, with the reason and what to write instead. */
export interface OpenLine extends Pick<Position, "file" | "line"> {
  /** Name of the tool; absent for a line that belongs to none, or to several. */
  readonly tool?: string;
  /** The code that was left out, in one short line. */
  readonly code: string;
  readonly reason: string;
  readonly advice: string;
}

/** An imported name. `name` is `default` for a default import, and `*` for a namespace. */
export interface AdoptedImport {
  /** A package, the absolute path of a file, or the module that is made from one. */
  readonly from: string;
  /** Path as the author wrote it; its ending is kept. */
  readonly written: string;
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
}

/** Kinds of services that are read. */
export type AdoptedSource = "mcp-sdk" | "fastmcp" | "xmcp" | "hono" | "fastify" | "tsoa" | "ts-rest";

/** A tool of a foreign service, as the function to be written. */
export interface AdoptedTool extends Pick<Position, "file" | "line"> {
  readonly name: string;
  readonly source: AdoptedSource;
  /** Route of a REST service, for example `GET /notes/:id`. */
  readonly route?: string;
  /** Name of the function, unique in its module. */
  readonly functionName: string;
  /** The doc comment, with a line break at its end. */
  readonly comment: string;
  /** Name of the request's type; absent without a request. */
  readonly request?: string;
  /** The parameter as written: a name, or a destructuring pattern. */
  readonly parameter: string;
  /** Type of the result without the promise; absent if the compiler infers it. */
  readonly result?: string;
  readonly isAsync: boolean;
  /** Statements of the body, without indentation. */
  readonly body: string;
}

/** A file to be written: the tools of one foreign source file, or types that several of them share. */
export interface AdoptedModule {
  /** Path of the foreign file, relative to the root. */
  readonly source: string;
  readonly imports: readonly AdoptedImport[];
  /** Types and carried declarations, in the order in which they are written. */
  readonly statements: readonly string[];
  readonly tools: readonly AdoptedTool[];
}

/** A foreign service, read. */
export interface Adopted {
  /** Absolute folder to which paths are relative, forward slashes. */
  readonly root: string;
  readonly files: number;
  readonly modules: readonly AdoptedModule[];
  readonly open: readonly OpenLine[];
  /** Syntax errors, which end the reading. */
  readonly broken: readonly (Pick<Position, "file" | "line"> & { readonly message: string })[];
}
