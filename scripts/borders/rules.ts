/** Import rules. The order of rooms is data in `rooms.ts`; the rest are borders to the outside. */
import type { IRegularForbiddenRuleType } from "dependency-cruiser";
import { pathOf, rooms } from "./rooms.ts";

type From = IRegularForbiddenRuleType["from"];
type To = IRegularForbiddenRuleType["to"];

/** Each room imports those above it in the list, and nothing below it or beside it. */
const order: readonly IRegularForbiddenRuleType[] = Object.entries(rooms).flatMap(([folder, floors]) =>
  floors.flatMap((floor, index) =>
    [floor].flat().flatMap((room) => {
      const beside = [floor].flat().filter((other) => other !== room);
      const others = [...beside, ...floors.slice(index + 1).flat()];
      return others.map((other) => ({
        name: `${folder}/${room} stands above ${other} in scripts/borders/rooms.ts`,
        severity: "error" as const,
        from: pathOf(folder, room),
        to: pathOf(folder, other),
      }));
    }),
  ),
);

const only = (from: string, to: string, comment: string): IRegularForbiddenRuleType => ({
  name: from.replaceAll(/[\^$\\/()]/g, "-"),
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: to, dependencyTypesNot: ["core"] },
});

const never = (name: string, from: From, to: To, comment = name): IRegularForbiddenRuleType => ({
  name,
  comment,
  severity: "error",
  from,
  to,
});

export const forbidden: IRegularForbiddenRuleType[] = [
  ...order,
  never("no-circular", {}, { circular: true }),
  never("not-to-unresolvable", {}, { couldNotResolve: true }),
  only("^plugin/model/", "^plugin/model/", "the model is plain data"),
  only("^plugin/diagnostics/", "^plugin/diagnostics/", "diagnostics know nothing of compilers"),
  only(
    "^plugin/read/",
    "^plugin/(read|model|diagnostics)/|^runtime/contract/(definition/uri-template|validation/(?:json-value|formats/[a-z-]+)|duration|firing-times|nearest-name)\\.ts|node_modules/(ts-morph|typescript|recheck)/",
    "source to model",
  ),
  only(
    "^plugin/adopt/",
    "^plugin/(adopt|model)/|^plugin/read/base/(read-text)\\.ts|node_modules/ts-morph/",
    "services of other libraries to functions: their code is read, and neither checked nor executed",
  ),
  only("^plugin/emit/", "^plugin/(emit|model|diagnostics)/|^runtime/contract/", "model to text, pure"),
  only(
    "^runtime/contract/",
    "^runtime/contract/|node_modules/croner/",
    "the ground floor: pure, shared with the plugin; the times of a cron expression are a library's",
  ),
  never(
    "one-croner",
    { path: "^(plugin|runtime|cli)/", pathNot: "^runtime/contract/firing-times\\.ts$" },
    { path: "node_modules/croner/" },
  ),
  never(
    "one-reader-of-the-compiler",
    { pathNot: "^plugin/(read|adopt)/" },
    { path: "node_modules/(ts-morph|typescript)/" },
    "tools are read by one room, services of other libraries by another, which no build loads",
  ),
  never("one-unplugin", { pathNot: "^plugin/bundlers/unplugin\\.ts$" }, { path: "node_modules/unplugin/" }),
  never(
    "one-mcp-sdk",
    { pathNot: "^runtime/(?:fronts/mcp/sdk|client/mcp|web/view)/" },
    { path: "node_modules/@modelcontextprotocol/" },
    "the protocol's library stays behind one engine of services, one way of clients, and the first script of views",
  ),
  never(
    "one-jose",
    { path: "^(plugin|runtime|cli)/", pathNot: "^runtime/fronts/auth/(verify-token|issuer-keys)\\.ts$" },
    { path: "node_modules/jose/" },
  ),
  never(
    "one-opentelemetry-sdk",
    { path: "^(plugin|runtime|cli)/", pathNot: "^runtime/telemetry/sdk/(official|grpc-exporters|propagators)\\.ts$" },
    { path: "node_modules/@opentelemetry/(?!api/)" },
    "the build of the package bundles that file, so that nothing of the SDK is installed",
  ),
  never("runtime-alone", { path: "^runtime/" }, { path: "^(plugin|cli)/" }, "a service contains no compiler"),
  never(
    "plugin-and-contract",
    { path: "^plugin/" },
    {
      path: "^runtime/",
      pathNot:
        "^runtime/(contract/|base/process/stdout-guard\\.ts|outside/outbound/patches/(undici-files|patch-[a-z]+)\\.ts)",
    },
    "the plugin never runs in production; it shares the contract, and patches that also stand as text in bundles",
  ),
  never("plugin-without-cli", { path: "^plugin/" }, { path: "^cli/" }),
  never(
    "commands-see-services-from-outside",
    { path: "^cli/", pathNot: "^cli/(contracts/|client/|eval/|local-platform/|platform/|dev/dev-host\\.ts)" },
    {
      path: "^runtime/",
      pathNot:
        "^runtime/(?:contract/(?:process-keys|mcp-host-forms|event-stream|nearest-name)\\.ts|base/(?:visible-text|own-event)\\.ts|telemetry/log/fold-frames\\.ts|client/)",
    },
    "they use its client, and show texts as its logs do; only the local platform shares its store and its wire, the host of `tenon dev` is a service's process, and contracts are compared by their form, and clients made of it",
  ),
  never(
    "eval-offers-what-hosts-get",
    { path: "^cli/eval/" },
    {
      path: "^(cli|plugin|runtime)/",
      pathNot:
        "^cli/(eval|base)/|^runtime/(contract/|outside/llm/|telemetry/log/logging\\.ts|fronts/mcp/calls/tool-index\\.ts)",
    },
    "a model is asked by the client of `job.llmClient()`, and answers are judged by the contract",
  ),
  only(
    "^cli/contracts/(?!against/)",
    "^cli/contracts/(?!against/)|^runtime/contract/",
    "two definitions in, findings out: pure",
  ),
  never(
    "local-platform-alone",
    { path: "^cli/local-platform/" },
    { path: "^(cli|plugin)/", pathNot: "^cli/(local-platform/|base/usage\\.ts)" },
  ),
  never(
    "local-platform-runs-no-jobs",
    { path: "^cli/(local-platform|platform)/" },
    {
      path: "^runtime/",
      pathNot:
        "^runtime/(contract|base|job|outside/platform|fronts/http|executor/store)/|^runtime/telemetry/log/(redact|known-secrets)\\.ts|^runtime/telemetry/sdk/queue-metrics\\.ts",
    },
    "it keeps jobs and moves bytes",
  ),
  only(
    "^runtime/web/console/",
    "^runtime/web/console/|^runtime/contract/(mcp-host-forms|event-stream|wait-text)\\.ts|^runtime/base/own-event\\.ts|node_modules/preact/",
    "a page of a browser, which knows routes and nothing else",
  ),
  never(
    "callers-need-only-fetch",
    { path: "^runtime/client/(?!(?:service-client|request-types)\\.ts)" },
    { path: "^runtime/", pathNot: "^runtime/(client|contract)/" },
    "it runs in browsers, and as part of a generated file; the two others have types alone",
  ),
  never(
    "testing-below-fronts",
    { path: "^runtime/kits/testing/" },
    { path: "^runtime/(fronts/(auth|rest|mcp|batch)|start)/" },
    "what is tested is what a service runs, without its fronts; only the form of errors is theirs",
  ),
];
