import { ResourceNotFoundError, ValueError, type Artifact, type ArtifactUrn, type JobContext } from "tenon";
import { csvToMarkdown } from "./csv-to-markdown.ts";
import { htmlToMarkdown } from "./html-to-markdown.ts";

/**
 * A document to convert.
 * @schema urn:example:schema.markdown-conversion.request.1
 */
export interface ConversionRequest {
  /** The stored document: HTML, CSV or plain text, up to 16 MiB. */
  document: ArtifactUrn;
}

/**
 * The Markdown of a document, and its place.
 * @schema urn:example:schema.markdown-conversion.1
 */
export interface Conversion {
  /** The document that was asked for. */
  document: ArtifactUrn;
  /** The same document as Markdown (`text/markdown`). */
  markdown: ArtifactUrn;
  /** True when it had been converted before. */
  cached: boolean;
}

/** Facts about a conversion, kept as an aspect of the document. */
interface ConversionAspect {
  readonly $schema: typeof aspectSchema;
  readonly markdown: ArtifactUrn;
  /** Digest of the content that was converted. */
  readonly sha256: string | null;
}

const aspectSchema = "urn:example:schema.markdown-conversion.aspect.1";
const maxBytes = 16 * 1024 * 1024;

const converters: Readonly<Record<string, (text: string) => string>> = {
  "text/html": htmlToMarkdown,
  "text/csv": csvToMarkdown,
  "text/plain": (text) => text,
  "text/markdown": (text) => text,
};

/**
 * Converts a stored document to Markdown.
 *
 * Use it before you read a document: Markdown keeps headings, lists, links and tables, and is a fraction of the size of
 * HTML. A document is converted once; later calls answer at once with the artifact that there is.
 *
 * @tool
 * @title Convert to Markdown
 * @idempotent
 * @example { "document": "urn:platform:artifact:handbook.html" }
 */
export async function convertToMarkdown({ document }: ConversionRequest, job: JobContext): Promise<Conversion> {
  const artifact = await find(document, job);
  const known = await findConversion(artifact, job);
  if (known !== undefined) return { document, markdown: known, cached: true };
  return job.report.step("convert", { message: `Converting ${artifact.name ?? document}` }, async (step) => {
    const convert = converterOf(artifact);
    const text = new TextDecoder().decode(await artifact.bytes({ maxBytes }));
    const content = convert(text);
    const stored = await job.platform.uploadArtifact({
      name: `${artifact.name ?? "document"}.md`,
      content,
      contentType: "text/markdown; charset=utf-8",
    });
    const aspect: ConversionAspect = {
      $schema: aspectSchema,
      markdown: stored.urn,
      sha256: artifact.sha256 ?? null,
    };
    await job.platform.updateAspect(document, aspect);
    step.finished({ message: `${text.length} characters became ${content.length}` });
    return { document, markdown: stored.urn, cached: false };
  });
}

async function find(document: ArtifactUrn, job: JobContext): Promise<Artifact> {
  try {
    return await job.platform.getArtifact(document);
  } catch (error) {
    if (error instanceof ResourceNotFoundError) throw new ValueError(`There is no document ${document}.`);
    throw error;
  }
}

/** The Markdown of an earlier conversion, unless the document has changed since or its Markdown is gone. */
async function findConversion(artifact: Artifact, job: JobContext): Promise<ArtifactUrn | undefined> {
  const filter = { entity: artifact.urn, schema: aspectSchema, limit: 1 };
  for await (const { content } of job.platform.listAspects(filter)) {
    const { markdown, sha256 } = content as ConversionAspect;
    if (sha256 !== (artifact.sha256 ?? null)) return undefined;
    try {
      return (await job.platform.getArtifact(markdown)).urn;
    } catch (error) {
      if (!(error instanceof ResourceNotFoundError)) throw error;
    }
  }
  return undefined;
}

function converterOf({ name, contentType }: Artifact): (text: string) => string {
  const type = contentType?.split(";")[0]?.trim().toLowerCase();
  // Artifacts of a local folder have names only.
  const ending = /\.(html?|csv|txt|md)$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  const byName = { htm: "text/html", html: "text/html", csv: "text/csv", txt: "text/plain", md: "text/markdown" }[
    ending
  ];
  const convert = converters[type ?? ""] ?? converters[byName ?? ""];
  if (convert !== undefined) return convert;
  const known = Object.keys(converters).join(", ");
  throw new ValueError(`A document of type ${type ?? "unknown"} cannot be converted; types that can: ${known}.`);
}
