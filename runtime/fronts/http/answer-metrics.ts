import { writeAnswer } from "./answer.ts";
import type { RequestHandler } from "./front-door.ts";
import { problemAnswer } from "./problem.ts";

const type = ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"] as const;

/** Answers `/metrics` with all metrics in Prometheus' text form. */
export function answerMetrics(read: () => Promise<string>): RequestHandler {
  return (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      const text = "Metrics are read by GET.\n";
      writeAnswer(response, { status: 405, headers: ["Allow", "GET, HEAD", ...type], body: text });
      return;
    }
    read().then(
      (body) => writeAnswer(response, { status: 200, headers: type, body }),
      (thrown: unknown) => writeAnswer(response, problemAnswer(thrown)),
    );
  };
}
