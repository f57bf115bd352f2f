import type { Position } from "./type.ts";

/** Pseudo path of the module with helpers for results, by which generated code imports from it. */
export const resultsModule = "adopt:results";
/** Prefix of the path in an import of a module that is generated from a file of the original service. */
export const adoptedPrefix = "adopt:";

/** Line of the original service that `tenon adopt` did not carry over, with the reason and what to write instead. */
export interface OpenLine extends Pick<Position, "file" | "line"> {
  /** Name of the tool; absent for a line that belongs to no tool, or to several. */
  readonly tool?: string;
  /** The code that was left out, in one short line. */
  readonly code: string;
  readonly reason: string;
  readonly advice: string;
}

/** An imported name. `name` is `default` for a default import, and `*` for a namespace. */
export interface AdoptedImport {
  /** Name of a package, absolute path of a file, or the path of a generated module with {@link adoptedPrefix}. */
  readonly from: string;
  /** Path as the author wrote it, with its extension. */
  readonly written: string;
  readonly name: string;
  readonly local: string;
  readonly isType: boolean;
}

/** Libraries whose services can be adopted. */
export type AdoptedSource = "mcp-sdk" | "fastmcp" | "xmcp" | "hono" | "fastify" | "tsoa" | "ts-rest";

/** A tool of the original service, in the form of the function that is generated for it. */
export interface AdoptedTool extends Pick<Position, "file" | "line"> {
  readonly name: string;
  readonly source: AdoptedSource;
  /** Route of a REST service, for example `GET /notes/:id`. */
  readonly route?: string;
  /** Name of the function, unique in its module. */
  readonly functionName: string;
  /** The doc comment, with a line break at its end. */
  readonly comment: string;
  /** Name of the request's type; absent if the tool takes no request. */
  readonly request?: string;
  /** The parameter as written: a name, or a destructuring pattern. */
  readonly parameter: string;
  /** Positional parameters as written; replace the single parameter for the request. */
  readonly parameters?: string;
  /** Type of the result without the promise; absent if the compiler infers it. */
  readonly result?: string;
  readonly isAsync: boolean;
  /** Statements of the body, without indentation. */
  readonly body: string;
}

/** A generated file: the tools of one file of the original service, or types that several of its files share. */
export interface AdoptedModule {
  /** Path of the original file, relative to the root. */
  readonly source: string;
  readonly imports: readonly AdoptedImport[];
  /** Types and declarations that the tools need, in the order in which they are written. */
  readonly statements: readonly string[];
  readonly tools: readonly AdoptedTool[];
}

/** Result of reading a service that was written with another library. */
export interface Adopted {
  /** Absolute folder to which paths are relative, forward slashes. */
  readonly root: string;
  readonly files: number;
  readonly modules: readonly AdoptedModule[];
  readonly open: readonly OpenLine[];
  /** Syntax errors; if there are any, nothing is generated. */
  readonly broken: readonly (Pick<Position, "file" | "line"> & { readonly message: string })[];
}
