import type { CompiledModule, CompiledTool } from "../compiled-module.ts";
import type { ModuleModel } from "../../model/module.ts";
import type { FileStates } from "./file-states.ts";

/**
 * A compiled module with relative paths and without repetition. It is split into parts, since a build without changes
 * does not need the models.
 */
export interface PackedModule {
  readonly head: PackedHead;
  /** Texts of the insertions, concatenated. */
  readonly code: Buffer;
  readonly body: PackedBody;
}

/** The part that every build needs, in addition to the code. */
export interface PackedHead extends Pick<CompiledModule, "stdio" | "hasService" | "diagnostics"> {
  readonly file: string;
  /** Offset in the source, and length of the text in bytes. */
  readonly insertions: readonly (readonly [number, number])[];
  readonly dependencies: readonly string[];
}

/** The part from which the service definition is made. */
export interface PackedBody {
  readonly model: ModuleModel;
  readonly tools: readonly PackedTool[];
}

interface PackedTool extends Pick<CompiledTool, "definition"> {
  /** Text of its module, or its position in the insertions: number, offset, length. */
  readonly code: string | readonly [number, number, number];
}

/** Converts between absolute paths and the cache's relative ones. */
export type ModulePaths = Pick<FileStates, "name" | "path">;

/** Packs a module for the cache. */
export function packModule(module: CompiledModule, { name }: ModulePaths): PackedModule {
  const { file, dependencies, model, tools, stdio, hasService, insertions, diagnostics } = module;
  const texts = insertions.map(({ text }) => Buffer.from(text));
  return {
    head: {
      file: name(file),
      dependencies: dependencies.map(name),
      ...(stdio && { stdio }),
      ...(hasService && { hasService }),
      insertions: insertions.map(({ offset }, index) => [offset, texts[index]?.length ?? 0]),
      diagnostics,
    },
    code: texts.length === 1 && texts[0] !== undefined ? texts[0] : Buffer.concat(texts),
    body: {
      model,
      // The tools' models and code are left out: they are also in the module's model, and in the insertions.
      tools: tools.map(({ definition, code }) => ({ definition, code: placeOf(code, insertions) ?? code })),
    },
  };
}

/** A packed module whose body is read on demand. */
export interface ReadModule extends Pick<PackedModule, "head" | "code"> {
  readonly body: () => PackedBody;
}

/** The inverse of {@link packModule}. */
export function unpackModule({ head, code, body: readBody }: ReadModule, { path }: ModulePaths): CompiledModule {
  const { file, dependencies, stdio, hasService, diagnostics } = head;
  let end = 0;
  const insertions = head.insertions.map(([offset, bytes]) => ({
    offset,
    text: code.toString("utf8", end, (end += bytes)),
  }));
  let known: Pick<CompiledModule, "model" | "tools"> | undefined;
  const body = (): Pick<CompiledModule, "model" | "tools"> => (known ??= unpackBody(readBody(), insertions));
  return {
    file: path(file),
    get model() {
      return body().model;
    },
    get tools() {
      return body().tools;
    },
    ...(stdio && { stdio }),
    ...(hasService && { hasService }),
    insertions,
    diagnostics,
    dependencies: dependencies.map(path),
  };
}

function unpackBody(
  { model, tools }: PackedBody,
  insertions: CompiledModule["insertions"],
): Pick<CompiledModule, "model" | "tools"> {
  return {
    model,
    tools: tools.flatMap(({ definition, code }, index) => {
      const own = model.tools[index];
      return own === undefined ? [] : [{ model: own, definition, code: codeAt(code, insertions) }];
    }),
  };
}

function placeOf(
  code: string,
  insertions: CompiledModule["insertions"],
): readonly [number, number, number] | undefined {
  const places = insertions.map(({ text }) => text.indexOf(code));
  const index = places.findIndex((place) => place >= 0);
  return index < 0 ? undefined : [index, places[index] ?? 0, code.length];
}

function codeAt(code: PackedTool["code"], insertions: CompiledModule["insertions"]): string {
  if (typeof code === "string") return code;
  const [index, start, length] = code;
  return insertions[index]?.text.slice(start, start + length) ?? "";
}
