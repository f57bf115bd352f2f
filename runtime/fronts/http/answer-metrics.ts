import type { Answer } from "./answer.ts";
import type { Handler } from "./exchange.ts";
import { problemAnswer } from "./problem.ts";

/** Path of the metrics; it exists only if Prometheus' text format is configured. */
export const metricsPath = "/metrics";

const type = ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"] as const;

/** Answers `/metrics` with all metrics in Prometheus' text format. */
export function answerMetrics(read: () => Promise<string>): Handler {
  return (exchange) => void metricsAnswer(exchange.method, read).then((answer) => exchange.answer(answer));
}

/** Returns the answer to a request for all metrics. Never rejects. */
export async function metricsAnswer(method: string, read: () => Promise<string>): Promise<Answer> {
  if (method !== "GET" && method !== "HEAD") {
    return { status: 405, headers: ["Allow", "GET, HEAD", ...type], body: "Metrics are read by GET.\n" };
  }
  try {
    return { status: 200, headers: type, body: await read() };
  } catch (thrown) {
    return problemAnswer(thrown);
  }
}
