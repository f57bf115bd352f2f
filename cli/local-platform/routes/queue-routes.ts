import { ToolError } from "../../../runtime/base/errors.ts";
import { noFigures, queueBody, type ServiceQueue } from "../../../runtime/executor/store/queue-body.ts";
import { metricsAnswer } from "../../../runtime/fronts/http/answer-metrics.ts";
import type { KnownJobs } from "../jobs/known-jobs.ts";
import type { JobTokens } from "../jobs/job-token.ts";
import type { ServiceRegistry } from "../services/service-registry.ts";
import { onlyTool } from "../services/service-tools.ts";
import type { Exchange, Handler } from "./exchange.ts";
import { callerOf, refuseJobs } from "./job-access.ts";

export interface QueueRouteOptions {
  readonly known: KnownJobs;
  readonly services: ServiceRegistry;
  readonly tokens: JobTokens;
}

/** `GET /queue`: numbers of waiting jobs by service. `GET /metrics`: the same numbers in Prometheus' text format. */
export function queueRoutes({ known, services, tokens }: QueueRouteOptions): {
  readonly queue: Handler;
  readonly metrics: Handler;
} {
  const figures = async (): Promise<readonly (Required<ServiceQueue> & { readonly tool: string | undefined })[]> => {
    const counts = new Map((await known.counts()).map((count) => [count.tool, count]));
    return services.all.map(({ key, definition }) => {
      const all = counts.get(key) ?? noFigures;
      // The platform knows the tool only for a service with one tool, since it does not parse requests.
      const tool = onlyTool(definition);
      return { key, all, tool, tools: tool === undefined ? [] : [{ ...all, tool }] };
    });
  };
  let text: Promise<() => Promise<string>> | undefined;
  const loadText = async (): Promise<() => Promise<string>> => {
    const { queueMetrics } = await import("../../../runtime/telemetry/sdk/queue-metrics.ts");
    return queueMetrics("tenon platform", async () =>
      (await figures()).map(({ key, all, tool }) => ({
        ...all,
        attributes: { service: key, ...(tool !== undefined && { tool }) },
      })),
    );
  };
  return {
    async queue(exchange) {
      admit(exchange, tokens);
      exchange.json(200, queueBody(await figures()), ["Cache-Control", "no-store"]);
    },
    async metrics(exchange) {
      admit(exchange, tokens);
      const read = await (text ??= loadText());
      const { status, headers = [], body } = await metricsAnswer(exchange.method, read);
      exchange.send(status, headers, body as string);
    },
  };
}

function admit(exchange: Exchange, tokens: JobTokens): void {
  refuseJobs(callerOf(exchange, tokens));
  if (exchange.method !== "GET" && exchange.method !== "HEAD") {
    throw new ToolError("method-not-allowed", "Use GET here.");
  }
}
