import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { PersistentVolumeClaim, Secret, Service } from "kubernetes-models/v1";
import { ScaledJob, ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { createAccessRules } from "../../runtime/fronts/http/middleware/access-rules.ts";
import { dockerFiles } from "../../cli/project/docker-files.ts";
import { serviceKey } from "../../runtime/contract/definition/service-key.ts";
import { noFigures, queueBody } from "../../runtime/executor/store/queue-body.ts";

const documented = ["configuration", "platform"].map((page) => readFileSync(`docs/${page}.md`, "utf8")).join("");
const folder = resolve("examples/kubernetes");
// Ten times as fast as the ones before it.
const newestTsc = "test/versions/typescript-7/node_modules/typescript/bin/tsc";
/** The API's own classes, each with the module that exports it. */
const models = {
  Deployment: [Deployment, "kubernetes-models/apps/v1"],
  PodDisruptionBudget: [PodDisruptionBudget, "kubernetes-models/policy/v1"],
  Secret: [Secret, "kubernetes-models/v1"],
  Service: [Service, "kubernetes-models/v1"],
  PersistentVolumeClaim: [PersistentVolumeClaim, "kubernetes-models/v1"],
  ScaledJob: [ScaledJob, "@kubernetes-models/keda/keda.sh/v1alpha1"],
  ScaledObject: [ScaledObject, "@kubernetes-models/keda/keda.sh/v1alpha1"],
} as const;

// oxlint-disable-next-line typescript/no-explicit-any -- a test looks into what the schemas have checked
type Manifest = any;

const manifests: readonly (readonly [file: string, manifest: Manifest])[] = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8"), { strict: true }).map((document) => {
      expect([file, document.errors, document.warnings]).toEqual([file, [], []]);
      return [file, document.toJS()] as const;
    }),
  );
const of = (kind: keyof typeof models): readonly Manifest[] =>
  manifests.map(([, manifest]) => manifest).filter((manifest) => manifest.kind === kind);
/** Every pod that a manifest starts. */
const pods: readonly Manifest[] = [
  ...of("Deployment").map(({ spec }) => spec.template),
  ...of("ScaledJob").map(({ spec }) => spec.jobTargetRef.template),
];
const containersOf = (pod: Manifest): readonly Manifest[] => [
  ...(pod.spec.initContainers ?? []),
  ...pod.spec.containers,
];
/** The container of a Deployment. */
const containerOf = ({ spec }: Manifest): Manifest => spec.template.spec.containers[0];
const valueOf = ({ env = [] }: Manifest, name: string): string | undefined =>
  env.find((variable: Manifest) => variable.name === name)?.value;
/** Seconds in which a process closes everything after its jobs have ended, as docs/operations.md says. */
const closing = 15;

test("each manifest is valid by the schema of its kind and version", () => {
  expect(manifests.length).toBeGreaterThan(5);
  for (const [file, manifest] of manifests) {
    const [Model] = models[manifest.kind as keyof typeof models];
    expect([file, manifest.apiVersion]).toEqual([file, Model.apiVersion]);
    new Model(manifest).validate();
  }
});

// The schemas let unknown fields pass, as the API does; types do not.
test("no manifest has a field that its kind does not have", () => {
  const at = mkdtempSync(join(import.meta.dirname, "manifests-"));
  onTestFinished(() => rmSync(at, { recursive: true, force: true }));
  const check = (list: readonly Manifest[]): string => {
    const lines = list.map((manifest, index) => {
      const { kind, metadata, ...rest } = manifest;
      delete rest.apiVersion;
      const [, from] = models[kind as keyof typeof models];
      return `import { ${kind} as K${index} } from "${from}";\nnew K${index}(${JSON.stringify({ metadata, ...rest })});\n`;
    });
    writeFileSync(join(at, "all.ts"), lines.join(""));
    const flags = [
      "--noEmit",
      "--ignoreConfig",
      "--skipLibCheck",
      "--strict",
      "--module",
      "nodenext",
      "--types",
      "node",
    ];
    return spawnSync(process.execPath, [resolve(newestTsc), ...flags, join(at, "all.ts")], {
      encoding: "utf8",
    }).stdout;
  };
  expect(check(manifests.map(([, manifest]) => manifest))).toBe("");
  const [pdb] = of("PodDisruptionBudget");
  expect(check([{ ...pdb, spec: { ...pdb.spec, maxUnavailble: 1 } }])).toContain("maxUnavailble");
});

test("every pod runs as another user than root, on a root that nobody writes, and in time", () => {
  for (const pod of pods) {
    expect(pod.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const { securityContext, lifecycle, resources } of containersOf(pod)) {
      expect(securityContext).toEqual({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
      expect(resources.limits.memory).toBeDefined();
      const pause = lifecycle?.preStop.sleep.seconds ?? 0;
      const grace = Number(valueOf(pod.spec.containers[0], "PLATFORM_SHUTDOWN_GRACE") ?? 25);
      expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pause + grace + closing);
    }
    const [{ env = [] }] = pod.spec.containers;
    for (const { name } of env) expect(documented).toContain(`\`${name}\``);
  }
  const args = pods.flatMap((pod) => pod.spec.containers[0].args ?? []).join(" ");
  for (const name of of("Secret").flatMap(({ stringData }) => Object.keys(stringData)))
    expect(documented + args).toMatch(new RegExp(`\`${name}\`|\\$\\(${name}\\)`));
  const image = dockerFiles({ name: "primes", has: () => false, output: "service.mjs", flags: [] })["Dockerfile"];
  expect(image).toContain("\nUSER 65532:65532\n");
});

test("the parts fit together: labels, ports, names, probes", () => {
  for (const { spec } of of("Deployment")) expect(spec.template.metadata.labels).toEqual(spec.selector.matchLabels);
  for (const { metadata, spec } of of("Deployment").filter((one) => containerOf(one).ports !== undefined)) {
    const container = containerOf({ spec });
    const budgets = of("PodDisruptionBudget").filter((budget) => budget.metadata.name === metadata.name);
    expect(budgets.map((budget) => budget.spec.selector)).toEqual([spec.selector]);
    const service = of("Service").find((one) => one.metadata.name === metadata.name);
    expect(service.spec.selector).toEqual(spec.selector.matchLabels);
    const names = container.ports.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(service.spec.ports.map((port: Manifest) => port.targetPort)));
    for (const probe of ["startupProbe", "livenessProbe", "readinessProbe"]) {
      const { path, port } = container[probe].httpGet;
      expect(names).toContain(port);
      expect(path).toBe(probe === "readinessProbe" ? "/readyz" : "/healthz");
    }
    // As long as it takes to find out that a tool is not ready.
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(5);
  }
  const [image = ""] = Object.values(
    dockerFiles({ name: "primes", has: () => false, output: "service.mjs", flags: [] }),
  );
  const service = of("Deployment").find(({ metadata }) => metadata.name === "prime-numbers");
  expect(image).toContain(`EXPOSE ${service.spec.template.spec.containers[0].ports[0].containerPort}`);
  for (const { spec } of of("ScaledObject"))
    expect(of("Deployment").map(({ metadata }) => metadata.name)).toContain(spec.scaleTargetRef.name);
  const [worker] = of("ScaledJob");
  // `tenon platform` never tells a worker to end, so that a Kubernetes Job of its workers would run for ever.
  expect(JSON.stringify(worker)).not.toContain("tenon-platform");
  const [sidecar] = worker.spec.jobTargetRef.template.spec.initContainers;
  expect([sidecar.restartPolicy, worker.spec.jobTargetRef.template.spec.restartPolicy]).toEqual(["Always", "Never"]);
});

test("workers call the platform by the name and the port of its Service", () => {
  const workers = of("Deployment").filter((one) => containerOf(one).ports === undefined);
  expect(workers.map(({ metadata }) => metadata.name)).toEqual(["prime-numbers-worker"]);
  for (const worker of workers) {
    const { hostname, port } = new URL(valueOf(containerOf(worker), "PLATFORM_BASE_URL") ?? "");
    const called = of("Service").find(({ metadata }) => metadata.name === hostname);
    expect(called.spec.ports.map((one: Manifest) => String(one.port))).toEqual([port]);
  }
});

test("whoever is called by the name of its Service answers for it", () => {
  for (const { metadata } of of("Service")) {
    const deployment = of("Deployment").find((one) => one.metadata.name === metadata.name);
    const allowed = valueOf(containerOf(deployment), "TENON_ALLOWED_HOSTS")?.split(",");
    const access = createAccessRules({ allowedHosts: allowed, allowedOrigins: [] });
    for (const host of [metadata.name, `${metadata.name}.default.svc`, `${metadata.name}:4400`])
      expect([host, access(host, undefined)]).toEqual([host, undefined]);
    expect(access("evil.example", undefined)).toContain("TENON_ALLOWED_HOSTS");
  }
});

test("what scales reads a number that GET /queue has", () => {
  const triggers = [...of("ScaledObject"), ...of("ScaledJob")].flatMap(({ spec }) => spec.triggers);
  expect(triggers.length).toBeGreaterThan(2);
  const body = queueBody([{ key: serviceKey("Prime numbers"), tools: [{ tool: "isPrime", ...noFigures }] }]);
  for (const { type, metadata } of triggers) {
    expect([type, new URL(metadata.url).pathname]).toEqual(["metrics-api", "/queue"]);
    const value = metadata.valueLocation
      .split(".")
      .reduce((at: Manifest, name: string) => at?.[name], body as Manifest);
    expect([metadata.valueLocation, value]).toEqual([metadata.valueLocation, 0]);
  }
  for (const { metadata } of of("ScaledObject").flatMap(({ spec }) => spec.triggers)) {
    // KEDA calls from its own namespace, so the name has one; a service answers only for names that it knows.
    const { hostname } = new URL(metadata.url);
    const [name] = hostname.split(".");
    expect(hostname).toBe(`${name}.default.svc`);
    const deployment = of("Deployment").find((one) => one.metadata.name === name);
    expect(valueOf(containerOf(deployment), "TENON_ALLOWED_HOSTS")?.split(",")).toContain(hostname);
  }
});
