import { join } from "node:path";
import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { fakeSidecar } from "../support/fake-sidecar.ts";
import { launchEntry } from "../support/launch.ts";
import { startOtlpSink, type OtlpSink } from "../support/otlp-sink.ts";
import { startRecorder } from "../outbound/harness/recorder.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { spanId, sunkSpans, traceId, traceparent } from "../support/traced-caller.ts";

const entry = join(inject("bundledServices"), "telemetry.js");

let sink: OtlpSink;
beforeEach(async () => {
  sink = await startOtlpSink();
});
afterEach(() => sink.close());

/** Parent and links of the spans of jobs. */
const linksOfJobs = (): readonly object[] =>
  sunkSpans(sink)
    .filter(({ name }) => name === "platform.job")
    .map(({ parentSpanId, links }) => ({ parent: parentSpanId, links }));

it("a job of a batch worker has a link to the span of its submitter", async () => {
  const sidecar = await fakeSidecar();
  sidecar.add({ id: "b1", content: { mode: "plain" }, headers: { traceparent } });
  const { ended } = launchEntry(entry, [], {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    PLATFORM_BASE_URL: sidecar.url,
    AS_WORKER: "1",
  });
  await sidecar.until(() => sidecar.taken("result").length > 0);
  sidecar.finish();
  expect((await ended).code).toBe(0);
  await sidecar.close();
  expect(linksOfJobs()).toEqual([{ parent: spanId, links: [`${traceId}-${spanId}`] }]);
});

it("a call that is answered at once has none; the next attempt of a job whose process was killed has one", async () => {
  const recorder = await startRecorder();
  const arrived = Promise.withResolvers<void>();
  recorder.answer = (_, response) => {
    response.end("ok");
    arrived.resolve();
  };
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    TENON_ALLOWED_HOSTS: "localhost",
    TENON_STORE: `sqlite:${join(temporaryFolder(), "jobs.db")}`,
  };
  const first = await launchEntry(entry, [], { ...env, HOLD: "1" }).listening;
  expect((await first.post({}, { traceparent })).status).toBe(200);
  const body = { mode: "hold", text: `http://127.0.0.1:${recorder.port}/` };
  const headers = { traceparent, "job-id": "held", prefer: "respond-async" };
  expect((await first.post(body, headers)).status).toBe(202);
  await arrived.promise;
  await first.kill();
  const second = await launchEntry(entry, [], env).listening;
  const answer = await fetch(`${second.url}/jobs/held`, { headers: { prefer: "wait=30" } });
  expect(await answer.json()).toEqual({ status: 200 });
  expect((await second.stop()).code).toBe(0);
  await recorder.stop();
  expect(sunkSpans(sink).flatMap(({ links }) => links)).toEqual([expect.stringMatching(`^${traceId}-[0-9a-f]{16}$`)]);
});
