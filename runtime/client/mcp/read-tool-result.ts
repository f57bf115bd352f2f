import type { JsonObject, JsonSchema, Problem } from "../../contract/contract.ts";
import type { ErrorKind } from "../../contract/error-kind.ts";
import { CallError, unexpected } from "../call-error.ts";
import { base64ToBytes } from "../encode-request.ts";
import { withProblems } from "../rest/read-answer.ts";
import { planOfSchema } from "../plan-of-schema.ts";
import type { ToolFacts, WireResult } from "../transport.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
  readonly resource?: { readonly blob?: string; readonly text?: string; readonly mimeType?: string };
}

interface ToolResult {
  readonly content?: readonly Block[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

interface DescribedTool {
  readonly name: string;
  readonly outputSchema?: object | undefined;
  readonly annotations?:
    | { readonly readOnlyHint?: boolean | undefined; readonly idempotentHint?: boolean | undefined }
    | undefined;
}

/** Converts a server's description of a tool to the properties that the client needs. */
export function describedFacts({ name, outputSchema, annotations = {} }: DescribedTool): ToolFacts {
  const schema = outputSchema as JsonSchema | undefined;
  return {
    name,
    path: "",
    kind: schema === undefined ? "content" : "json",
    isRepeatable: annotations.readOnlyHint === true || annotations.idempotentHint === true,
    plan: planOfSchema(schema === undefined ? undefined : unwrapped(schema)),
  };
}

/** The description of a tool that a server's search returns. @throws CallError `not-found` with the server's hint */
export function readDescription(name: string, { content = [], structuredContent, isError }: ToolResult): DescribedTool {
  if (isError === true) throw new CallError("not-found", textOf(content));
  const described = Object(structuredContent) as Partial<DescribedTool>;
  if (described.name !== name) throw unexpected(`The server does not describe its tool ${JSON.stringify(name)}.`);
  return { ...described, name };
}

/**
 * Unwraps the schema of a result. A tenon service wraps results that are not objects in an object with the only field
 * `result`; other objects have `$schema`.
 */
function unwrapped(schema: JsonSchema): JsonSchema {
  const { result, ...others } = (schema["properties"] ?? {}) as JsonObject;
  if (result === undefined || Object.keys(others).length > 0) return schema;
  return { ...(result as JsonSchema), ...(schema["$defs"] !== undefined && { $defs: schema["$defs"] }) };
}

/** The result of a call in the same form as over REST. @throws CallError for a result that is an error, or broken */
export function readToolResult(facts: ToolFacts, result: ToolResult): WireResult {
  try {
    return wireResult(facts, result);
  } catch (error) {
    throw error instanceof CallError ? error : unexpected("The result cannot be read.", { cause: error });
  }
}

function wireResult({ kind }: ToolFacts, result: ToolResult): WireResult {
  const { content = [], structuredContent, isError, _meta } = result;
  if (isError === true) throw toolError(content, _meta);
  if (kind === "none") return { kind: "json", value: null };
  if (kind === "binary" || kind === "bytes") return { kind: "blob", blob: blobOf(content) };
  if (structuredContent !== undefined) return { kind: "json", value: valueOf(structuredContent) };
  if (kind === "text") return { kind: "text", text: textOf(content) };
  return { kind: "json", value: { content } };
}

function valueOf(structured: unknown): unknown {
  if (typeof structured !== "object" || structured === null) return structured;
  const { result, ...others } = structured as JsonObject;
  return result === undefined || Object.keys(others).length > 0 ? structured : result;
}

function textOf(content: readonly Block[]): string {
  return content.map(({ text = "" }) => text).join("\n");
}

function blobOf(content: readonly Block[]): Blob {
  for (const { data, mimeType, resource } of content) {
    const type = mimeType ?? resource?.mimeType ?? "";
    if (data !== undefined) return new Blob([base64ToBytes(data) as BlobPart], { type });
    if (resource?.blob !== undefined) return new Blob([base64ToBytes(resource.blob) as BlobPart], { type });
    if (resource?.text !== undefined) return new Blob([resource.text], { type });
  }
  // A text result is treated as plain text, even if its content looks like JSON.
  return new Blob([textOf(content)], { type: "text/plain" });
}

type BlobPart = ConstructorParameters<typeof Blob>[0] extends Iterable<infer Part> | undefined ? Part : never;

function toolError(content: readonly Block[], meta: ToolResult["_meta"]): CallError {
  const problem = meta?.["platform/problem"] as
    | { readonly type: string; readonly status: number; readonly errors?: readonly Problem[] }
    | undefined;
  const jobId = meta?.["platform/job-id"];
  const kind = (problem?.type.replace(/^.*:/, "") ?? "system") as ErrorKind;
  const text = textOf(content);
  const problems = problem?.errors ?? [];
  // The problems are removed from the text, which lists them for models in further lines; `withProblems` adds the same
  // lines again.
  const message = problems.length === 0 ? text : withProblems(text.replace(/\n[^]*/, ""), problems);
  return new CallError(kind, message, {
    status: problem?.status,
    problems,
    jobId: typeof jobId === "string" ? jobId : undefined,
  });
}
