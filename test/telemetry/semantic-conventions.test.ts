import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as conventions from "@opentelemetry/semantic-conventions/incubating";
import { expect, test } from "vitest";

const runtime = join(import.meta.dirname, "../../runtime/telemetry");
/** Attributes and metrics of the official package, by their names. */
const official: ReadonlySet<string> = new Set<string>(
  Object.entries(conventions).flatMap(([name, value]) =>
    /^(?:ATTR|METRIC)_/.test(name) && typeof value === "string" ? value : [],
  ),
);
/** Channels of Node, which are read. */
const channels = /^http\.client\.(?:request|response)\.(?:created|finish|error)$/;

test("every attribute and metric that the code names is in the official package, or is the platform's", () => {
  const names = new Set(
    globSync("{spans,sdk}/**/*.ts", { cwd: runtime }).flatMap(
      (file) => readFileSync(join(runtime, file), "utf8").match(/(?<=")[a-z][a-z_]*(?:\.[a-z_]+)+(?=")/g) ?? [],
    ),
  );
  for (const name of ["http.route", "mcp.method.name", "gen_ai.usage.input_tokens", "platform.job_id", "service.name"])
    expect(names).toContain(name);
  const foreign = [...names].filter((name) => !official.has(name) && !name.startsWith("platform."));
  expect(foreign.filter((name) => !channels.test(name))).toEqual([]);
});
