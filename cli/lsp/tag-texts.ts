import type { IntegerType, StringFormat } from "../../plugin/model/type.ts";

/** Tags of a tool, a prompt or a resource, in the order of the editor's list. */
export const toolTagTexts: Readonly<Record<string, string>> = {
  tool: "This function is a tool",
  prompt: "This function is a prompt of MCP",
  resource: "This function is a resource of MCP; its address or template follows",
  name: "The name that callers use",
  title: "The title that people read",
  readonly: "Changes nothing",
  destructive: "May destroy something",
  idempotent: "A second call does no harm; the job may run again after a crash",
  openWorld: "Reaches beyond its own system",
  example: "An example request as JSON",
  ask: "A user's sentence in quotes, and the request that a model should make, or none",
  limit: "Jobs at a time, such as 1 per request.account, per caller or per caller.client; refuse or replace",
  rate: "Starts in a time, such as 100/min per caller; burst with a number, refuse",
  debounce: "The last request within the time runs, such as 5s per request.document max 1m",
  timeout: "Maximum duration of a job, such as 30s",
  schedule: "A cron expression in quotes, a time zone and a request: the service starts jobs by itself",
  scope: "Scopes that a caller's token needs",
  path: "REST path of its own",
  thread: "Jobs run in worker threads",
  alwaysLoad: "Hosts that search tools load this one at once",
  keep: "A job goes on when its caller leaves",
  task: "required, optional or never: says if an MCP call becomes a task",
  text: "json, summary or none: the text block of an MCP result",
  view: "A file, or auto: the page that hosts show beside the result",
  icon: "Address of the icon",
  schema: "Schema URN",
  inputSchema: "File with a JSON Schema that MCP clients see",
  deprecated: "Callers should use something else",
  category: "Group in which people see the tool",
  mimeType: "Media type of a resource",
  audience: "user or assistant: for whom a resource is",
  priority: "Head start of some calls, such as 30s when request.urgent; of a resource its importance, from 0 to 1",
};

/** Tags of a field or a type. */
export const fieldTagTexts: Readonly<Record<string, string>> = {
  minimum: "Lowest number",
  maximum: "Highest number",
  exclusiveMinimum: "All numbers above",
  exclusiveMaximum: "All numbers below",
  multipleOf: "The number is a multiple of",
  type: "Kind of a number",
  minLength: "Fewest characters",
  maxLength: "Most characters",
  pattern: "Regular expression, without slashes",
  format: "Form of a text",
  minItems: "Fewest elements",
  maxItems: "Most elements",
  uniqueItems: "All elements differ",
  default: "Value of a missing field, as JSON",
  defaultValue: "Value of a missing field, as JSON",
  example: "An example value as JSON",
  title: "The title that people read",
  deprecated: "Callers should use something else",
  header: "Name of the header in which MCP clients repeat the value",
  schema: "Schema URN",
};

const numbers = { integer: 0, int32: 0, uint32: 0, int64: 0, uint64: 0 } satisfies Record<IntegerType, 0>;
/** Values of `@type`. */
export const numberTypes: readonly string[] = [...Object.keys(numbers).slice(1), "float"];

const formats = {
  email: 0,
  uuid: 0,
  uri: 0,
  url: 0,
  "date-time": 0,
  date: 0,
  time: 0,
  duration: 0,
  hostname: 0,
  ipv4: 0,
  ipv6: 0,
  byte: 0,
  password: 0,
  regex: 0,
  "json-pointer": 0,
  "relative-json-pointer": 0,
  "uri-reference": 0,
  "uri-template": 0,
  "idn-email": 0,
  "idn-hostname": 0,
  iri: 0,
  "iri-reference": 0,
} satisfies Record<StringFormat, 0>;
/** Values of `@format`, the frequent ones first. */
export const formatNames: readonly string[] = Object.keys(formats);
