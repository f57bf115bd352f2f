import { expect, test } from "vitest";
import { metricsAnswer, metricsPath } from "../../../../../runtime/fronts/http/answer-metrics.ts";

const type = ["Content-Type", "text/plain; version=0.0.4; charset=utf-8"];
const read = async (): Promise<string> => "up 1\n";

test.each(["GET", "HEAD"])("%s reads the metrics", async (method) => {
  expect(await metricsAnswer(method, read)).toEqual({ status: 200, headers: type, body: "up 1\n" });
});

test("they are where Prometheus looks by default", () => {
  expect(metricsPath).toBe("/metrics");
});

test("they are only read", async () => {
  expect(await metricsAnswer("POST", read)).toEqual({
    status: 405,
    headers: ["Allow", "GET, HEAD", ...type],
    body: "Metrics are read by GET.\n",
  });
});

test("an error of the collector is a problem of the service, whose text is not sent", async () => {
  const { status, body } = await metricsAnswer("GET", () => Promise.reject(new Error("secret")));
  expect([status, String(body).includes("secret")]).toEqual([500, false]);
});
