/** The three parts of the gene ontology. */
export type Category = "BP" | "MF" | "CC";

/** One statement about a gene product: that it has a term of the gene ontology, and how that is known. */
export interface Annotation {
  /** The annotation's own identifier. */
  id: string;
  /** The gene product with its database, for example `UniProtKB:P12345`. */
  geneProductId: string;
  /** Way in which the term applies, for example `involved_in` or `located_in`. */
  qualifier: string;
  /** The term, for example `GO:0006103`. */
  goId: string;
  /** `biological_process`, `molecular_function` or `cellular_component`. */
  goAspect: string;
  /** Evidence code, for example `IDA` (direct assay) or `IEA` (electronic). */
  goEvidence: string;
  /** The group that made the annotation. */
  assignedBy: string;
  /** Gene symbol, for example `GOT2`. */
  symbol: string;
  /** The publication or method behind it, for example `PMID:10585858` or `GO_REF:0000024`. */
  reference: string;
}

/** A page of annotations as the outside service sends it; it has many more fields than these. */
export interface AnnotationPage {
  readonly annotations: Annotation[];
  /** Pages in all. */
  readonly pages: number;
}

/** Reads a page and keeps only the fields of `Annotation`; `undefined` when it is something else. */
export function readPage(body: unknown): AnnotationPage | undefined {
  const { results, pageInfo } = record(body);
  const { total } = record(pageInfo);
  if (!Array.isArray(results) || typeof total !== "number") return undefined;
  const annotations: Annotation[] = [];
  for (const result of results) {
    const annotation = readAnnotation(record(result));
    if (annotation === undefined) return undefined;
    annotations.push(annotation);
  }
  return { annotations, pages: total };
}

function readAnnotation(from: Record<string, unknown>): Annotation | undefined {
  const { id, geneProductId, qualifier, goId, goAspect, goEvidence, assignedBy, symbol, reference } = from;
  if (typeof id !== "string" || typeof geneProductId !== "string" || typeof goId !== "string") return undefined;
  return {
    id,
    geneProductId,
    qualifier: text(qualifier),
    goId,
    goAspect: text(goAspect),
    goEvidence: text(goEvidence),
    assignedBy: text(assignedBy),
    symbol: text(symbol),
    reference: text(reference),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
