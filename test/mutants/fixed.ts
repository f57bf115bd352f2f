import type { TestProject } from "./run-tests.ts";

/** A mutation that some test did not notice once, and the test that does now. */
export interface FixedMutant {
  readonly file: string;
  /** A text that stands once in the file, and what replaces it. */
  readonly before: string;
  readonly after: string;
  readonly project: TestProject;
  readonly test: string;
}

/** Mutations that survived when mutants were first tried, by hand. Each project tries its own at once. */
export const fixedMutants: readonly FixedMutant[] = [
  {
    file: "runtime/fronts/mcp/http/mcp-handler.ts",
    before: "if (caller !== undefined) requireScopes(port, caller, body);",
    after: "if (caller !== undefined && false) requireScopes(port, caller, body);",
    project: "sources",
    test: "test/fronts/auth/token-service.test.ts",
  },
  {
    file: "cli/local-platform/routes/job-answers.ts",
    before: "if (outcome === undefined) return exchange.send(204,",
    after: "if (outcome === undefined) return exchange.send(200,",
    project: "units",
    test: "test/unit/cli/local-platform/routes/job-answers.test.ts",
  },
  {
    file: "cli/local-platform/services/service-registry.ts",
    before: "if (this.all.length === 0 && this.#tables.isShared) await this.#look();",
    after: "if (this.all.length === 0 && !this.#tables.isShared) await this.#look();",
    project: "units",
    test: "test/unit/cli/local-platform/services/service-registry.test.ts",
  },
  {
    file: "runtime/fronts/mcp/lists/job-tool-descriptors.ts",
    before:
      'properties: { jobId }, required: ["jobId"], additionalProperties: false },\n    annotations: { readOnlyHint: true }',
    after:
      'properties: { jobId }, required: ["jobId"], additionalProperties: false },\n    annotations: { readOnlyHint: false }',
    project: "units",
    test: "test/unit/runtime/fronts/mcp/lists/job-tool-descriptors.test.ts",
  },
  {
    file: "plugin/read/project/find-variables.ts",
    before: "isRequired: isRequired && fallback === undefined,",
    after: "isRequired: isRequired || fallback === undefined,",
    project: "units",
    test: "test/unit/plugin/read/project/find-variables.test.ts",
  },
  {
    file: "plugin/read/tools/insertion.ts",
    before: "const isDirective = index === 0 ||",
    after: "const isDirective = index >= 0 ||",
    project: "units",
    test: "test/unit/plugin/read/tools/insertion.test.ts",
  },
  {
    file: "runtime/executor/store/postgres/statements.ts",
    before: "known.seen < excluded.seen - $4::bigint",
    after: "known.seen < excluded.seen + $4::bigint",
    project: "units",
    test: "test/unit/runtime/executor/store/postgres/tool-owner.test.ts",
  },
];
