import { globSync } from "node:fs";

/** A part of the source that is mutated, and the tests that attack it from outside. */
export interface MutatedRoom {
  readonly name: string;
  readonly folder: string;
  /** Paths of tests of the project `sources`, which run the mutated file as services do; files or folders. */
  readonly outside: readonly string[];
  /** True if those tests are tried before the unit tests of other files: golden files notice most. */
  readonly isOutsideFirst?: true;
  /** Share of what is tried that tests must notice. */
  readonly share: number;
}

export const mutatedRooms: readonly MutatedRoom[] = [
  {
    name: "fronts/auth",
    folder: "runtime/fronts/auth",
    outside: ["test/fronts/auth", "test/fronts/security/every-route.test.ts"],
    share: 0.9,
  },
  {
    name: "fronts/http",
    folder: "runtime/fronts/http",
    outside: [
      "test/fronts/rest/bad-input.test.ts",
      "test/fronts/rest/short-requests.test.ts",
      "test/fronts/security/cors.test.ts",
      "test/fronts/security/every-route.test.ts",
      "test/fronts/security/framing.test.ts",
    ],
    share: 0.9,
  },
  {
    name: "fronts/mcp/http",
    folder: "runtime/fronts/mcp/http",
    outside: [
      "test/fronts/mcp/http-protocol.test.ts",
      "test/fronts/mcp/http-clients.test.ts",
      "test/fronts/mcp/register-mcp.test.ts",
      "test/fronts/mcp/sessions.test.ts",
      "test/fronts/auth/token-service.test.ts",
    ],
    share: 0.9,
  },
  {
    name: "outbound/rules",
    folder: "runtime/outside/outbound/rules",
    outside: ["test/outbound/hooks.test.ts"],
    share: 0.9,
  },
  {
    name: "executor/store",
    folder: "runtime/executor/store",
    outside: ["test/fronts/rest/replicas.test.ts", "test/fronts/rest/replicas-together.test.ts"],
    share: 0.8,
  },
  {
    name: "executor/kept",
    folder: "runtime/executor/kept",
    outside: [
      "test/fronts/rest/calls.test.ts",
      "test/fronts/rest/queue.test.ts",
      "test/fronts/rest/left-calls.test.ts",
    ],
    share: 0.8,
  },
  {
    name: "cli/contracts",
    folder: "cli/contracts",
    outside: ["test/contracts.test.ts"],
    isOutsideFirst: true,
    share: 0.8,
  },
  {
    name: "plugin/emit",
    folder: "plugin/emit",
    outside: ["test/golden.test.ts"],
    isOutsideFirst: true,
    share: 0.8,
  },
];

/** The source files of a room, in order. */
export function filesOf(root: string, { folder }: MutatedRoom): readonly string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).toSorted();
}
