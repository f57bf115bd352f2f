import { type JobContext, ValueError } from "tenon";
import { ServiceFailure, UnknownGeneProduct, fetchAnnotations, serviceUrl } from "./annotation-service.ts";
import type { Annotation, Category } from "./annotation.ts";
import { mapConcurrently } from "./map-concurrently.ts";

/**
 * Gene products to look up.
 * @schema urn:example:schema.gene-ontology-term-mapper.request.1
 */
export interface MapperRequest {
  /**
   * UniProt accessions, for example `P12345`. Repeated ones are looked up once.
   * @minItems 1
   * @maxItems 25
   * @example ["P12345", "Q9H0H5"]
   */
  ids: string[];
  /**
   * Annotations to return: `BP` biological process, `MF` molecular function, `CC` cellular component.
   * All three when it is left out.
   */
  category?: Category;
}

/** A gene product that the outside service gave no answer for. */
export interface LookUpProblem {
  /** The accession as it was asked for. */
  id: string;
  /** Reason, for example that the service was overloaded. */
  message: string;
}

/**
 * The annotations that were found.
 * @schema urn:example:schema.gene-ontology-term-mapper.1
 */
export interface MapperResult {
  /** Annotations by accession, in the order asked for; an empty list when there are none of the category. */
  results: Record<string, Annotation[]>;
  /** Accessions that could not be looked up this time; ask again for these. Left out when there are none. */
  problems?: LookUpProblem[];
}

type Answer = { id: string } & ({ annotations: Annotation[] } | { problem: string } | { unknown: true });

/** UniProt's own definition of an accession number. */
const accession = /^(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})$/;

/** Look-ups at the same time; the outside service is shared, so more would only earn refusals. */
const concurrency = 4;

/**
 * Maps gene products to their gene ontology annotations.
 *
 * Asks a public annotation service for every accession and returns what it knows: the term, the evidence and who
 * assigned it. Use it to find out what a protein does (`MF`), in which process (`BP`) and where in the cell (`CC`).
 * One step per accession. An accession that does not exist fails the call and is named in the error; one that the
 * service could not answer for is listed under `problems` beside the results of the others.
 *
 * @tool
 * @title Gene ontology mapper
 * @readonly
 * @idempotent
 * @openWorld
 * @timeout 120s
 * @view ./annotations.view.ts
 * @example { "ids": ["P12345", "Q9H0H5"], "category": "BP" }
 */
export async function mapGeneOntology(request: MapperRequest, job: JobContext): Promise<MapperResult> {
  const ids = [...new Set(request.ids)];
  refuse(
    ids.filter((id) => !accession.test(id)),
    "not of UniProt's form",
  );
  const service = serviceUrl(process.env);

  const answers = await mapConcurrently(ids, concurrency, job.signal, (id) =>
    lookUp(service, id, request.category, job),
  );

  refuse(
    answers.filter((answer) => "unknown" in answer).map(({ id }) => id),
    "not known to the annotation service",
  );
  const problems = answers.flatMap((answer) =>
    "problem" in answer ? [{ id: answer.id, message: answer.problem }] : [],
  );
  const found = answers.flatMap((answer) =>
    "annotations" in answer ? [[answer.id, answer.annotations] as const] : [],
  );
  const first = problems[0];
  if (found.length === 0 && first !== undefined) {
    throw new Error(`No accession could be looked up at ${service.href}. ${first.id}: ${first.message}`);
  }
  return { results: Object.fromEntries(found), ...(first !== undefined && { problems }) };
}

/**
 * Looks one accession up in a step of its own. What concerns this one only becomes its answer; anything else is thrown.
 */
async function lookUp(service: URL, id: string, category: Category | undefined, job: JobContext): Promise<Answer> {
  try {
    return await job.report.step(id, { message: `Looking up ${id}` }, async (step) => {
      const annotations = await fetchAnnotations(service, id, {
        ...(category !== undefined && { category }),
        signal: job.signal,
        onRetry: (reason, attempt) => step.info({ message: `${reason}; trying again`, attempt }),
      });
      step.finished({ message: `${annotations.length} annotations`, annotations: annotations.length });
      return { id, annotations };
    });
  } catch (error) {
    if (error instanceof UnknownGeneProduct) return { id, unknown: true };
    if (error instanceof ServiceFailure) return { id, problem: error.message };
    throw error;
  }
}

/** Names all wrong ids at once, so that a caller corrects the request in one go. */
function refuse(ids: readonly string[], reason: string): void {
  if (ids.length === 0) return;
  throw new ValueError(
    `${ids.length === 1 ? "This id is" : "These ids are"} ${reason}: ${ids.join(", ")}. An accession looks like P12345.`,
  );
}
