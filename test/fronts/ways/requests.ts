import { legacyBody, modernBody, modernHeaders } from "../mcp/raw-http.ts";

/** A request, or a line of the host that is waited for. */
export type Step = Request | { readonly line: string };

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Sent in two pieces, without a length. */
  readonly chunked?: true;
  /** The caller leaves as soon as the host has printed this line. */
  readonly leave?: string;
  /** The caller leaves as soon as the answer has these words. */
  readonly leaveAfter?: string;
  /** The header of an answer before, whose value this request sends. */
  readonly carry?: string;
  /** Sends an access token with these scopes. */
  readonly scope?: string;
}

export interface Row {
  readonly name: string;
  /** Service of the row; default `open`. `guarded`: callers need a token. `limited`: three requests of a caller. */
  readonly service?: "guarded" | "limited";
  readonly steps: readonly Step[];
}

const json = { "content-type": "application/json" };
const page = "https://app.example.org";
const both = { ...json, accept: "application/json, text/event-stream" };

const post = (path: string, body: string, headers: Request["headers"] = {}): Request => ({
  method: "POST",
  path,
  body,
  headers: { ...json, ...headers },
});
const get = (path: string, headers: Request["headers"] = {}): Request => ({ method: "GET", path, headers });
const one = (name: string, ...steps: readonly Step[]): Row => ({ name, steps });
const guarded = (name: string, ...steps: readonly Step[]): Row => ({ name, service: "guarded", steps });

const modern = (method: string, params: Record<string, unknown> = {}, headers: Request["headers"] = {}): Request => ({
  method: "POST",
  path: "/mcp",
  body: modernBody(method, params),
  headers: { ...both, ...modernHeaders(method, params["name"] as string | undefined), ...headers },
});
const legacy = (method: string, params?: unknown, headers: Request["headers"] = {}): Request => ({
  method: "POST",
  path: "/mcp",
  body: legacyBody(method, params),
  headers: { ...both, ...headers },
});
const raw = (body: string, headers: Request["headers"] = {}): Request => ({
  method: "POST",
  path: "/mcp",
  body,
  headers: { ...both, ...headers },
});
const call = (name: string, args: object = {}): Record<string, unknown> => ({ name, arguments: args });
const hello = (capabilities: object): Request =>
  legacy("initialize", { protocolVersion: "2025-06-18", capabilities, clientInfo: { name: "ways", version: "1" } });
const inSession = { carry: "mcp-session-id" } as const;
const initialized = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

const calls: readonly Row[] = [
  one("a call", post("/tool/echo", '{"text":"one"}')),
  one("a call in chunks", { ...post("/tool/echo", '{"text":"two pieces"}'), chunked: true }),
  one(
    "another content type of JSON",
    post("/tool/echo", "{}", { "content-type": "application/x+json; charset=utf-8" }),
  ),
  one("a query", post("/tool/echo?text=two", '{"text":"one"}')),
  one("a call without a request", { method: "POST", path: "/tool/seven" }),
  one("a call without a request, its length 0", {
    method: "POST",
    path: "/tool/seven",
    headers: { "content-length": "0" },
  }),
  one("a call without a request, with a type", { method: "POST", path: "/tool/seven", headers: json }),
  one("a call without a request, with a body", post("/tool/seven", "{}")),
  one("a body without a type where none is needed", post("/tool/seven", "{}", { "content-type": "text/plain" })),
  one("an empty body", post("/tool/echo", "")),
  one("no body and no type", { method: "POST", path: "/tool/echo" }),
  one("broken JSON", post("/tool/echo", '{"text":')),
  one("broken JSON of a named job", post("/tool/echo", '{"text":', { "job-id": "broken" })),
  one("bytes that are not UTF-8", post("/tool/echo", Buffer.from('{"text":"\xff"}', "latin1").toString("latin1"))),
  one("deep JSON", post("/tool/echo", `${"[".repeat(600)}${"]".repeat(600)}`)),
  one("a key that is not allowed", post("/tool/echo", '{"__proto__":{}}')),
  one("a request that does not match", post("/tool/echo", '{"text":1}')),
  one("a request that does not match, of a named job", post("/tool/echo", '{"text":1}', { "job-id": "unmatched" })),
  one("another media type", post("/tool/echo", "{}", { "content-type": "text/plain" })),
  one(
    "another media type of a named job",
    post("/tool/echo", "{}", { "content-type": "text/plain", "job-id": "typed" }),
  ),
  one("a charset", post("/tool/echo", "{}", { "content-type": "application/json; charset=latin1" })),
  one("an encoded body", post("/tool/echo", "{}", { "content-encoding": "gzip" })),
  one("a large body", post("/tool/echo", JSON.stringify({ text: "x".repeat(9000) }))),
  one("too large a body", post("/tool/echo", JSON.stringify({ text: "x".repeat(30_000) }))),
  one("too large a body of a named job", post("/tool/echo", "x".repeat(30_000), { "job-id": "large" })),
  one("too large a body in chunks", { ...post("/tool/echo", "x".repeat(30_000)), chunked: true }),
  one("a mistake of the caller", post("/tool/refuse", "{}")),
  one("a mistake of the tool", post("/tool/fail", "{}", { "job-id": "failing" }), get("/jobs?id=failing")),
  one("nothing as a result", post("/tool/silent", "{}")),
  one("a large answer", post("/tool/long", '{"size":300000}')),
  one("bytes that a browser could run", post("/tool/page", "{}")),
  one("a stream", post("/tool/pieces", '{"size":50000}')),
];

const headers: readonly Row[] = [
  one("job-id, and its answer again", post("/tool/echo", "{}", { "job-id": "named" }), get("/jobs/named")),
  one("job-id that is not valid", post("/tool/echo", "{}", { "job-id": "a b" })),
  one("Prefer: wait=0, and the result", post("/tool/steps", "{}", { prefer: "wait=0", "job-id": "later" }), {
    ...get("/jobs/later", { prefer: "wait=9" }),
  }),
  one("Prefer: respond-async", post("/tool/steps", "{}", { prefer: "respond-async", "job-id": "asynchronous" })),
  one("Timeout", post("/tool/steps", "{}", { timeout: "0", "job-id": "timed" })),
  one("Timeout that is not valid", post("/tool/echo", "{}", { timeout: "soon" })),
  one(
    "Idempotency-Key: the same, and another body",
    post("/tool/echo", "{}", { "idempotency-key": "key", "job-id": "keyed" }),
    post("/tool/echo", "{}", { "idempotency-key": "key" }),
    post("/tool/echo", '{"text":"other"}', { "idempotency-key": "key" }),
  ),
  one("Idempotency-Key that is not valid", post("/tool/echo", "{}", { "idempotency-key": "x".repeat(300) })),
  one(
    "job-id of another request",
    post("/tool/echo", "{}", { "job-id": "shared" }),
    post("/tool/seven", "{}", { "job-id": "shared" }),
  ),
  one(
    "a trace",
    post("/tool/echo", "{}", { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, "job-id": "traced" }),
    {
      ...get(`/jobs?trace=${"a".repeat(32)}`),
    },
  ),
  one(
    "events, from the beginning, from an event, from the end",
    post("/tool/steps", "{}", { "job-id": "told" }),
    get("/jobs/told/events"),
    get("/jobs/told/events", { "last-event-id": "2" }),
    get("/jobs/told/events", { "last-event-id": "99" }),
    get("/jobs/told/events", { "last-event-id": "x" }),
    get("/tool/steps/jobs/told/events"),
    get("/tool/echo/jobs/told/events"),
  ),
  one("a Host that is not listed", get("/tool", { host: "evil.example.com" })),
  one("a Host that is not listed, over MCP", {
    ...modern("tools/list"),
    headers: { ...both, host: "evil.example.com" },
  }),
  one("a probe with an odd Host", get("/healthz", { host: "evil.example.com" })),
];

const leaving: readonly Row[] = [
  one(
    "a caller that leaves",
    { ...post("/tool/wait", '{"id":"left"}'), leave: "began left" },
    { line: "aborted left" },
  ),
  one(
    "a caller that leaves a named job",
    { ...post("/tool/wait", '{"id":"named"}', { "job-id": "left-named" }), leave: "began named" },
    get("/jobs/left-named"),
    { method: "DELETE", path: "/jobs/left-named" },
    { line: "aborted named" },
    get("/jobs/left-named"),
  ),
  one(
    "a caller that leaves a tool with @keep",
    { ...post("/tool/kept", '{"id":"kept"}'), leave: "began kept" },
    get("/queue"),
  ),
  one(
    "a caller that leaves a call over MCP",
    { ...modern("tools/call", call("wait", { id: "mcp" })), leave: "began mcp" },
    {
      line: "aborted mcp",
    },
  ),
  one(
    "a caller that leaves a call over MCP of a tool with @keep",
    { ...modern("tools/call", call("kept", { id: "kept-mcp" })), leave: "began kept-mcp" },
    get("/queue"),
  ),
  one(
    "a caller that leaves a call of an older client",
    { ...legacy("tools/call", call("wait", { id: "older" })), leave: "began older" },
    { line: "aborted older" },
  ),
  one(
    "a reader that leaves events",
    post("/tool/wait", '{"id":"read"}', { prefer: "wait=0", "job-id": "read" }),
    { ...get("/jobs/read/events"), leaveAfter: ": \n\n" },
    { method: "DELETE", path: "/jobs/read" },
    { line: "aborted read" },
    get("/jobs/read/events"),
  ),
];

const routes: readonly Row[] = [
  one("the description of a tool", get("/tool/echo"), { method: "HEAD", path: "/tool/echo" }),
  one("all tools", get("/tool")),
  one(
    "a method that a tool has not",
    { method: "DELETE", path: "/tool/echo" },
    { method: "OPTIONS", path: "/tool/echo" },
  ),
  one("no such route", get("/nothing"), { method: "POST", path: "/nothing" }),
  one(
    "another spelling of a path",
    post("/TOOL/echo", "{}"),
    post("//tool/echo", "{}"),
    post("/tool/echo/", "{}"),
    post("/%74ool/echo", "{}"),
  ),
  one(
    "no such job",
    get("/jobs/none"),
    { method: "DELETE", path: "/jobs/none" },
    { method: "PUT", path: "/jobs/none" },
  ),
  one("an id that is not valid", get("/jobs/%20"), get("/jobs/%zz"), get("/jobs/urn%3Aplatform%3Ajob%3Anone")),
  one(
    "health",
    get("/healthz"),
    get("/_healtz"),
    get("/readyz"),
    { method: "HEAD", path: "/healthz" },
    { method: "POST", path: "/healthz" },
  ),
  one("the service definition", get("/service.json")),
  one("OpenAPI", get("/openapi.json")),
  one("the console", get("/docs"), get("/docs?script=other"), { method: "POST", path: "/docs" }),
  one("metrics", { method: "POST", path: "/metrics" }, { method: "HEAD", path: "/metrics" }),
  one("a page of jobs", get("/jobs?tool=none"), get("/jobs?limit=x"), get("/jobs?limit=1&tool=none&page=5")),
  one("the queue", get("/queue"), { method: "DELETE", path: "/queue" }),
  one(
    "a key of a limit is drained, then cancelled",
    post("/tool/queued", '{"id":"k"}', { "job-id": "queued-1", prefer: "respond-async" }),
    { line: "began k" },
    post("/tool/queued", '{"id":"k"}', { "job-id": "queued-2", prefer: "respond-async" }),
    { method: "DELETE", path: "/queue/queued?key=k" },
    get("/jobs/queued-2"),
    { method: "DELETE", path: "/queue/queued?key=queued%20request.id%20%22k%22&running=true" },
    { line: "aborted k" },
    get("/jobs/queued-1"),
  ),
  one(
    "a queue that cannot be cleared",
    { method: "DELETE", path: "/queue/queued" },
    { method: "DELETE", path: "/queue/queued?key=k&running=yes" },
    { method: "DELETE", path: "/queue/echo" },
    post("/queue/queued", "{}"),
    { method: "DELETE", path: "/queue/queued?key=k", headers: { origin: "https://evil.example.com" } },
  ),
  guarded(
    "a key of others",
    { method: "DELETE", path: "/queue/queued?key=k" },
    { method: "DELETE", path: "/queue/queued?key=k", scope: "" },
  ),
];

const cors: readonly Row[] = [
  one("a preflight", {
    method: "OPTIONS",
    path: "/tool/echo",
    headers: { origin: page, "access-control-request-method": "POST", "access-control-request-headers": "job-id" },
  }),
  one("a call of a page", post("/tool/echo", "{}", { origin: page, "job-id": "paged" })),
  one("a refused call of a page", post("/tool/echo", "{", { origin: page })),
  one("a read of a page", get("/openapi.json", { origin: page })),
  one(
    "events for a page",
    post("/tool/steps", "{}", { "job-id": "shown" }),
    get("/jobs/shown/events", { origin: page }),
  ),
  one("a page that is not listed", post("/tool/echo", "{}", { origin: "https://evil.example.com" })),
  one("a page over MCP", modern("tools/list", {}, { origin: page })),
  one("a preflight over MCP", {
    method: "OPTIONS",
    path: "/mcp",
    headers: { origin: page, "access-control-request-method": "POST", "access-control-request-headers": "mcp-method" },
  }),
  one("a page that is not listed, over MCP", modern("tools/list", {}, { origin: "https://evil.example.com" })),
];

const mcp: readonly Row[] = [
  one("MCP: discover", modern("server/discover")),
  one("MCP: a list", modern("tools/list")),
  one("MCP: a call", modern("tools/call", call("echo", { text: "one" }))),
  one("MCP: a call with progress", modern("tools/call", { ...call("steps"), _meta: { progressToken: "p" } })),
  one("MCP: a call that fails", modern("tools/call", call("fail"))),
  one("MCP: a large answer", modern("tools/call", call("long", { size: 300_000 }))),
  one("MCP: bytes", modern("tools/call", call("page"))),
  one("MCP: an unknown tool", modern("tools/call", call("none"))),
  one("MCP: a rare method", modern("prompts/list")),
  one("MCP: headers that disagree", modern("tools/call", call("echo"), { "mcp-name": "seven" })),
  one("MCP: an unknown revision", modern("tools/list", {}, { "mcp-protocol-version": "1999-01-01" })),
  one("MCP: broken JSON", raw('{"jsonrpc":')),
  one("MCP: an empty body", raw("")),
  one("MCP: no message", raw("[]"), raw("7"), raw('{"jsonrpc":"2.0","id":1,"method":7}')),
  one("MCP: too large a body", raw("x".repeat(30_000)), { ...raw("x".repeat(30_000)), chunked: true }),
  one("MCP: another media type", raw("{}", { "content-type": "text/plain" })),
  one("MCP: an answer that nobody takes", legacy("ping", undefined, { accept: "text/html" })),
  one("MCP: other methods", get("/mcp"), { method: "DELETE", path: "/mcp" }, { method: "PUT", path: "/mcp" }),
  one(
    "MCP: the server card",
    get("/mcp/server-card"),
    get("/.well-known/mcp/server-card.json"),
    get("/.well-known/ai-catalog.json"),
    {
      method: "POST",
      path: "/mcp/server-card",
    },
  ),
  one("older MCP: initialize", hello({})),
  one(
    "older MCP: ping, a list, a call",
    legacy("ping"),
    legacy("tools/list"),
    legacy("tools/call", call("echo", { text: "one" })),
  ),
  one("older MCP: a call with progress", legacy("tools/call", { ...call("steps"), _meta: { progressToken: 1 } })),
  one("older MCP: log messages", legacy("tools/call", call("steps"))),
  one("older MCP: a notification", raw(initialized)),
  one(
    "older MCP: a batch",
    raw(`[${legacyBody("ping")},${legacyBody("ping", undefined, 2)}]`, { "mcp-protocol-version": "2025-03-26" }),
  ),
  one(
    "older MCP: a session",
    hello({ elicitation: {} }),
    { ...raw(initialized), ...inSession },
    { ...legacy("tools/list"), ...inSession },
    { ...legacy("tools/call", call("steps")), ...inSession },
    { method: "DELETE", path: "/mcp", ...inSession },
    { ...legacy("ping"), ...inSession },
  ),
  one("older MCP: a session that does not exist", legacy("ping", undefined, { "mcp-session-id": "0".repeat(32) })),
];

const access: readonly Row[] = [
  guarded("no token", post("/tool/echo", "{}"), get("/tool"), get("/jobs")),
  guarded("a token that is not valid", post("/tool/echo", "{}", { authorization: "Bearer x.y.z" })),
  guarded("a token", { ...post("/tool/echo", "{}"), scope: "" }),
  guarded(
    "a scope that is missing",
    { ...post("/tool/scoped", "{}"), scope: "" },
    { ...get("/tool/scoped"), scope: "" },
  ),
  guarded("a scope", { ...post("/tool/scoped", "{}"), scope: "more" }),
  guarded(
    "what a caller sees",
    { ...get("/openapi.json"), scope: "" },
    { ...get("/service.json"), scope: "more" },
    { ...get("/tool"), scope: "" },
  ),
  guarded("health and console need no token", get("/healthz"), get("/docs")),
  guarded(
    "the metadata about tokens",
    get("/.well-known/oauth-protected-resource"),
    get("/.well-known/oauth-protected-resource/mcp"),
    {
      method: "POST",
      path: "/.well-known/oauth-protected-resource",
    },
  ),
  guarded("MCP: no token", modern("tools/list"), get("/mcp")),
  guarded(
    "MCP: what a caller sees",
    { ...modern("tools/list"), scope: "" },
    { ...modern("tools/list"), scope: "more" },
  ),
  guarded(
    "MCP: a scope that is missing",
    { ...modern("tools/call", call("scoped")), scope: "" },
    { ...legacy("tools/call", call("scoped")), scope: "" },
  ),
  guarded("MCP: a scope", { ...modern("tools/call", call("scoped")), scope: "more" }),
  guarded("the server card needs no token", get("/mcp/server-card")),
];

const limits: readonly Row[] = [
  {
    name: "more requests than allowed",
    service: "limited",
    steps: [
      get("/healthz"),
      get("/queue"),
      get("/queue"),
      get("/queue"),
      get("/queue"),
      post("/tool/echo", "{}"),
      modern("tools/list"),
      get("/healthz"),
    ],
  },
];

/** Every request that is sent in every way to serve. */
export const rows: readonly Row[] = [
  ...calls,
  ...headers,
  ...leaving,
  ...routes,
  ...cors,
  ...mcp,
  ...access,
  ...limits,
];
