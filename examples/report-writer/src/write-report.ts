import {
  AmbiguousRequestError,
  ResourceNotFoundError,
  ServiceJobError,
  ValueError,
  type ArtifactUrn,
  type JobContext,
  type PlatformService,
} from "tenon";
import { readFactCheck, type FactCheck } from "./read-fact-check.ts";
import { reportText } from "./report-text.ts";

/**
 * A report to write.
 * @schema urn:example:schema.report-writer.request.1
 */
export interface ReportRequest {
  /** Subject of the report. @minLength 1 @maxLength 200 */
  topic: string;
  /** Text of the report, paragraph by paragraph. @minItems 1 @maxItems 100 */
  paragraphs: string[];
  /** Its references, each with a quoted title and an address. @maxItems 100 */
  references: string[];
  /**
   * Name or URN of the service that checks the references.
   * @default "Fact checker"
   */
  factChecker?: string;
}

/**
 * A written report.
 * @schema urn:example:schema.report-writer.1
 */
export interface Report {
  /** The report as Markdown. */
  report: ArtifactUrn;
  /** References in it. @type uint32 */
  references: number;
  /** Those whose page was found, with the title. @type uint32 */
  confirmed: number;
  /** The job that checked them; absent when there was nothing to check. */
  factCheck?: string;
}

/**
 * Writes a report, and has its references checked by another service of the platform before it stores it.
 *
 * The report marks every reference that could not be confirmed. The check runs as a job of its own, with this job's
 * token; its steps are shown as progress.
 *
 * @tool
 * @title Write a report
 */
export async function writeReport(request: ReportRequest, job: JobContext): Promise<Report> {
  const { topic, references, factChecker = "Fact checker" } = request;
  const check = references.length === 0 ? undefined : await checkReferences(references, factChecker, job);
  return job.report.step("write", { message: `Writing about ${topic}` }, async (step) => {
    const { urn } = await job.platform.uploadArtifact({
      name: `${topic}.md`,
      content: reportText(request, check?.found),
      contentType: "text/markdown; charset=utf-8",
    });
    step.finished({ message: `Stored as ${urn}` });
    const confirmed = check?.found.confirmed ?? 0;
    return {
      report: urn,
      references: references.length,
      confirmed,
      ...(check !== undefined && { factCheck: check.urn }),
    };
  });
}

async function checkReferences(
  references: readonly string[],
  name: string,
  job: JobContext,
): Promise<{ readonly urn: string; readonly found: FactCheck }> {
  const service = await findService(name, job);
  return job.report.step("check", { message: `${references.length} references go to ${name}` }, async (step) => {
    const asked = await service.requestJob({ references });
    for await (const { type, data } of asked.events()) {
      if (type === "platform.job.event") step.info({ from: asked.urn, event: data });
    }
    const found = readFactCheck(await resultOf(asked, name));
    step.finished({ message: `${found.confirmed} of ${references.length} are confirmed` });
    return { urn: asked.urn, found };
  });
}

async function findService(name: string, job: JobContext): Promise<PlatformService> {
  if (name.startsWith("urn:")) return job.platform.getService(name);
  try {
    return await job.platform.getServiceByName(name);
  } catch (error) {
    if (error instanceof ResourceNotFoundError || error instanceof AmbiguousRequestError) {
      throw new ValueError(`The references cannot be checked: ${error.message}`);
    }
    throw error;
  }
}

async function resultOf(asked: Awaited<ReturnType<PlatformService["requestJob"]>>, name: string): Promise<unknown> {
  try {
    return await asked.result();
  } catch (error) {
    // A caller's mistake in the other service is a mistake of the report's caller.
    if (error instanceof ServiceJobError && asked.status === "failed") {
      throw new ValueError(`${name} refused the references: ${error.message}`);
    }
    throw error;
  }
}
