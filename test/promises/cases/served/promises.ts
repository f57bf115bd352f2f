import type { Promises, Promised, Step } from "../../promise.ts";
import type { Serve } from "../../ways.ts";

const withRoutes: ReadonlySet<Serve> = new Set(["REST", "createFetchHandler"]);
/** A promise about routes of a server, whose tools are called in any way. */
const route = (...steps: readonly Step[]): Promised => ({
  setting: "open",
  steps,
  except: ({ serve }) => (withRoutes.has(serve) ? undefined : "a route of the server, the same for all callers of it"),
});
const flags = (...steps: readonly Step[]): Promised => ({
  steps,
  except: ({ serve }) => (serve === "REST" ? undefined : "a command-line flag, the same in all ways to serve"),
});
const described = { name: "Promises", version: "1.2.3", description: "Keeps what the documentation says." };

export const promises: Promises = {
  "Positional parameters are fields of the request": {
    steps: [{ call: "addNumbers", request: { a: 2, b: 3 }, out: { value: 5 } }],
  },
  "`maxWaitTime` answers 202, and the result comes later": {
    steps: [{ call: "waitLong", how: "later", out: { value: "waited" } }],
    elsewhere: { thread: "its tools are made by `platformLambda`, without `@thread`" },
  },
  "The console is served": route(
    { get: "/docs", accept: "text/html", out: { status: 200, type: /^text\/html/, body: /<script/ } },
    { get: "/docs?script=other", out: { status: 404, body: { detail: "The console has no such script." } } },
  ),
  "`/healthz` and `/readyz` say that it is well": route(
    { get: "/healthz", out: { status: 200 } },
    { get: "/readyz", soon: true, out: { status: 200 } },
  ),
  "`/openapi.json` has each tool": route({
    get: "/openapi.json",
    out: {
      status: 200,
      body: { openapi: /^3\.1\./, info: { title: "Promises", version: "1.2.3" }, paths: { "/tool/addNumbers": {} } },
    },
  }),
  "`/service.json` is the definition": route({ get: "/service.json", out: { status: 200, body: described } }),
  "`GET /tool/<name>` describes a tool": route({
    get: "/tool/addNumbers",
    out: {
      status: 200,
      body: { name: "addNumbers", annotations: { readOnlyHint: true }, fn_schema: { required: ["a", "b"] } },
    },
  }),
  "An unknown path is 404, with a text": route({ get: "/nothing", out: { status: 404, type: /problem\+json/ } }),
  "`--print-service-description` prints what the build has written": flags({
    run: ["--print-service-description"],
    out: { code: 0, stderr: "", json: "{definition}" },
  }),
  "`--print-tool-description` prints the tools": flags({
    run: ["--print-tool-description", "--tool", "addNumbers"],
    out: { code: 0, stderr: "", json: { name: "addNumbers" } },
  }),
  "`--test-file` runs one request, and prints its result": flags({
    run: ["--test-without-sidecar", "--tool", "addNumbers", "--test-file", "{file}"],
    file: { a: 2, b: 3 },
    out: { code: 0, stdout: "5\n" },
  }),
  "`--help` and `--version` answer": flags(
    { run: ["--help"], out: { code: 0, stdout: /--with-mcp-stdio/ } },
    { run: ["--version"], out: { code: 0, stdout: /1\.2\.3/ } },
  ),
  "A wrong flag ends with code 2 and one line": flags({
    run: ["--prot", "1"],
    out: { code: 2, stdout: "", stderr: /^(?:(?!\n    at ).)*--prot[^\n]*\n$/s },
  }),
  "A wrong value in the environment ends with code 1 and one line": flags({
    run: [],
    env: { PORT: "many" },
    out: { code: 1, stdout: "", stderr: /^[^\n]*PORT[^\n]*\n$/ },
  }),
};
