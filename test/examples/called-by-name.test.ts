import { readFileSync } from "node:fs";
import { request } from "node:http";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { packedProject, serve, type PackedProject } from "../support/packed-project.ts";
import { startPlatform } from "../support/platform-process.ts";
import { primeFiles } from "../support/prime-project.ts";

let project: PackedProject;
beforeAll(() => {
  project = packedProject(primeFiles);
  for (const words of [["init", "--docker"], ["build"]]) expect(project.tenon(...words)).toMatchObject({ status: 0 });
});
afterAll(() => project.dispose());

/** The status of a GET by a name in `Host`. */
function statusBy(host: string, url: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { headers: { host } }, (answer) => resolve(answer.resume().statusCode));
    sent.once("error", reject).end();
  });
}

/** Calls a service by names that it must answer for, and by others. */
async function checkNames(url: string, names: readonly string[], path: string): Promise<void> {
  expect(names.length).toBeGreaterThan(0);
  for (const name of [...names, "127.0.0.1", "localhost"])
    for (const host of [name, `${name}:8090`]) expect([host, await statusBy(host, url, path)]).toEqual([host, 200]);
  for (const host of ["evil.example", `${names[0]}.evil.example`, `x${names[0]}`])
    expect([host, await statusBy(host, url, path)]).toEqual([host, 403]);
  // Probes call by any name.
  expect(await statusBy("evil.example", url, "/healthz")).toBe(200);
}

/** The variables and the words of the process that a Dockerfile starts. */
function imageOf(dockerfile: string) {
  const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
  const pairs = [...last.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
  const env = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/).slice(0, 2) as [string, string]));
  const [, words = ""] = /^ENTRYPOINT (.*)$/m.exec(last) ?? [];
  return { env, words: JSON.parse(words) as readonly string[] };
}

describe("the image of tenon init --docker", () => {
  test("answers for the name of its folder, by which a compose file calls it", async () => {
    const name = basename(project.root).toLowerCase();
    const { env, words } = imageOf(project.read("Dockerfile"));
    const [node, flag, output = "", ...flags] = words;
    expect([node, flag, env["TENON_ALLOWED_HOSTS"]]).toEqual(["node", "--enable-source-maps", name]);
    const service = await serve(join(project.root, "dist", output), flags, env);
    onTestFinished(async () => void (await service.stop()));
    await checkNames(service.url, [name], "/service.json");
  });

  test("without that variable the name is refused, and the log names it", async () => {
    const { env, words } = imageOf(project.read("Dockerfile"));
    const [, , output = "", ...flags] = words;
    const { TENON_ALLOWED_HOSTS: _, ...others } = env;
    const service = await serve(join(project.root, "dist", output), flags, others);
    onTestFinished(async () => void (await service.stop()));
    expect(await statusBy("user-project", service.url, "/service.json")).toBe(403);
    await expect.poll(service.stderr).toContain("TENON_ALLOWED_HOSTS=user-project");
  });
});

// oxlint-disable-next-line typescript/no-explicit-any -- the schemas of the manifests are checked beside
type Manifest = any;

/** The manifests of a file of the Kubernetes example. */
function manifests(file: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(`examples/kubernetes/${file}`, "utf8")).map((document) => document.toJS());
}

/** The container of a file's Deployment, with the variables that it sets by itself. */
function containerOf(file: string) {
  const [container] = manifests(file).find(({ kind }) => kind === "Deployment").spec.template.spec.containers;
  const pairs: readonly { readonly name: string; readonly value: string }[] = container.env;
  const env = Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
  return { env, words: (container.args ?? []) as readonly string[] };
}

/** Names by which others of the cluster call a Service: within its namespace, and KEDA. */
function callersNames(file: string, scaler: string): readonly string[] {
  const { name } = manifests(file).find(({ kind }) => kind === "Service").metadata;
  const triggers: readonly Manifest[] = manifests(scaler).find(({ kind }) => kind === "ScaledObject").spec.triggers;
  return [...new Set([name, ...triggers.map(({ metadata }) => new URL(metadata.url).hostname)])];
}

describe("the Kubernetes example", () => {
  test("the service answers for its Service, for KEDA and for its public name", async () => {
    // Without the Secret, which names a database.
    const { env } = containerOf("service.yaml");
    const service = await serve(join(project.root, "dist/service.mjs"), [], env);
    onTestFinished(async () => void (await service.stop()));
    const names = callersNames("service.yaml", "scale.yaml");
    expect(names).toEqual(["prime-numbers", "prime-numbers.default.svc"]);
    await checkNames(service.url, [...names, "primes.example.org"], "/queue");
  });

  test("the platform answers for its Service and for KEDA", async () => {
    const { env, words } = containerOf("platform.yaml");
    // Without what needs a database, a bucket or a folder of the image.
    const own = words.filter((word) => !/^platform$|^--(?:host|folder|store|artifacts)=/.test(word));
    const folder = join(project.root, "platform");
    const { TENON_PLATFORM_KEY } = manifests("platform.yaml").find(({ kind }) => kind === "Secret").stringData;
    const platform = await startPlatform([...own, "--folder", folder], { ...env, TENON_PLATFORM_KEY });
    onTestFinished(async () => void (await platform.stop()));
    const names = callersNames("platform.yaml", "platform-worker.yaml");
    expect(names).toEqual(["tenon-platform", "tenon-platform.default.svc"]);
    await checkNames(platform.url, names, "/queue");
  });
});
