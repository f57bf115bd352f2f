/** Who may import whom. ARCHITECTURE.md has the same table in words; this file enforces it. */
const only = (from, to, comment) => ({
  name: from.replaceAll(/[\^$\\/()]/g, "-"),
  comment,
  severity: "error",
  from: { path: from },
  to: { pathNot: to, dependencyTypesNot: ["core"] },
});
const external = "node_modules";

export default {
  forbidden: [
    { name: "no-circular", severity: "error", from: {}, to: { circular: true } },
    { name: "not-to-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
    only("^plugin/model/", "^plugin/model/", "the model is plain data"),
    only("^plugin/diagnostics/", "^plugin/diagnostics/", "diagnostics know nothing of compilers"),
    only(
      "^plugin/read/",
      "^plugin/(read|model|diagnostics)/|^runtime/definition/uri-template\\.ts|node_modules/(ts-morph|typescript|recheck)/",
      "source to model",
    ),
    only(
      "^plugin/emit/",
      "^plugin/(emit|model|diagnostics)/|^runtime/(contract\\.ts|definition/|validation/)",
      "model to text, pure",
    ),
    {
      name: "one-reader-of-the-compiler",
      severity: "error",
      from: { pathNot: "^plugin/read/" },
      to: { path: "node_modules/(ts-morph|typescript)/" },
    },
    {
      name: "one-unplugin",
      severity: "error",
      from: { pathNot: "^plugin/unplugin\\.ts$" },
      to: { path: "node_modules/unplugin/" },
    },
    {
      name: "cli-beside-runtime",
      comment:
        "commands see a service from outside; only the local platform shares its store and its wire, and the host of `tenon dev` is a service's process",
      severity: "error",
      from: { path: "^cli/", pathNot: "^cli/(local-platform/|platform/|dev-host\\.ts)" },
      to: { path: "^runtime/" },
    },
    {
      name: "local-platform-below-commands",
      severity: "error",
      from: { path: "^cli/local-platform/" },
      to: { path: "^(cli|plugin)/", pathNot: "^cli/(local-platform/|usage\\.ts)" },
    },
    {
      name: "local-platform-beside-services",
      comment: "it keeps jobs and moves bytes; it runs none of them",
      severity: "error",
      from: { path: "^cli/(local-platform|platform)/" },
      to: {
        path: "^runtime/",
        pathNot:
          "^runtime/(errors|contract|front-door)\\.ts|^runtime/(http|platform)/|^runtime/jobs/(store/|job\\.ts|job-id\\.ts|encode-result\\.ts)|^runtime/telemetry/(trace-context|redact|known-secrets)\\.ts",
      },
    },
    { name: "runtime-without-plugin", severity: "error", from: { path: "^runtime/" }, to: { path: "^(plugin|cli)/" } },
    {
      name: "plugin-without-runtime",
      severity: "error",
      from: { path: "^plugin/" },
      to: {
        path: "^runtime/",
        pathNot:
          "^runtime/(contract\\.ts|definition/|validation/|stdout-guard\\.ts|outbound/(undici-files|patch-[a-z]+)\\.ts)",
        dependencyTypesNot: ["type-only"],
      },
    },
    only("^runtime/(contract|errors)\\.ts$", "^runtime/contract\\.ts$", "the ground floor"),
    only("^runtime/definition/", "^runtime/(definition/|contract\\.ts)", "pure, shared with the plugin"),
    only("^runtime/validation/", "^runtime/(validation/|contract\\.ts)", "pure, called by generated code"),
    {
      name: "fronts-never-meet",
      severity: "error",
      from: { path: "^runtime/(rest|mcp|batch)/" },
      to: { path: "^runtime/(rest|mcp|batch)/", pathNot: "^runtime/$1/" },
    },
    {
      name: "one-mcp-sdk",
      severity: "error",
      from: { pathNot: "^runtime/mcp/sdk-[a-z-]+\\.ts$" },
      to: { path: "node_modules/@modelcontextprotocol/" },
    },
    {
      name: "one-jose",
      severity: "error",
      from: { path: "^(plugin|runtime|cli)/", pathNot: "^runtime/auth/(verify-token|issuer-keys)\\.ts$" },
      to: { path: "node_modules/jose/" },
    },
    {
      name: "auth-below-fronts",
      severity: "error",
      from: { path: "^runtime/auth/" },
      to: { path: "^runtime/((rest|mcp|batch)/|(start|start-server|serving|server-core|front-door)\\.ts$)" },
    },
    {
      name: "jobs-below-fronts",
      severity: "error",
      from: { path: "^runtime/(jobs|events)/" },
      to: { path: "^runtime/(rest|mcp|batch|start|serving|server-core|front-door)" },
    },
    {
      name: "testing-is-no-part-of-a-service",
      severity: "error",
      from: { path: "^(runtime|plugin|cli)/", pathNot: "^runtime/testing/" },
      to: { path: "^runtime/testing/" },
    },
    {
      name: "testing-below-fronts",
      severity: "error",
      from: { path: "^runtime/testing/" },
      to: { path: "^runtime/(rest|mcp|batch|start|serving|server-core|front-door)" },
    },
  ],
  options: {
    doNotFollow: { path: external },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".mjs", ".json"],
      conditionNames: ["import", "types", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
