import { createHash } from "node:crypto";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, sep } from "node:path";
import { type ServiceFile, stableJson } from "../../plugin/index.ts";
import { CommandError } from "../base/usage.ts";
import { oldestNode } from "../base/version.ts";
import { bundle } from "../build/bundle.ts";
import { copyPackages } from "../build/copy-packages.ts";
import type { Project } from "../project/project.ts";
import { makeManifest } from "./mcpb-manifest.ts";
import { type PackageFacts, readPackageFacts, unscoped } from "./package-facts.ts";
import { readSettings } from "./read-settings.ts";
import { zip, type ZipEntry } from "./zip.ts";

/** A packed bundle. */
export interface PackedMcpb {
  readonly content: Uint8Array;
  /** SHA-256 digest of the bundle, which the registry requires. */
  readonly sha256: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Paths inside the bundle. */
  readonly files: readonly string[];
  /** Set if the bundle contains native code for this system. */
  readonly platform: string | undefined;
}

/**
 * Returns the default path of a service's bundle, which is in the project's folder even if the service's name contains
 * slashes.
 */
export function mcpbFile(
  { root, name = "service" }: PackageFacts,
  { version }: Pick<ServiceFile["definition"], "version">,
): string {
  const file = `${unscoped(name)}-${version}.mcpb`.replaceAll(/[^\w.+-]+/g, "-");
  // Leading hyphens are removed, since programs would read such a name as an option.
  return join(root, file.replace(/^[-.]+/, ""));
}

/**
 * Builds a service and packs it with its manifest. Packages with native code are included.
 *
 * @param variables Variables whose names the code does not contain, `NAME` or `NAME=DEFAULT`.
 * @throws CommandError with all reasons why hosts would refuse the bundle
 */
export async function packMcpb(
  project: Project,
  definition: ServiceFile["definition"],
  variables: readonly string[],
): Promise<PackedMcpb> {
  const folder = mkdtempSync(join(tmpdir(), "tenon-mcpb-"));
  try {
    const outdir = join(folder, "dist");
    const { outside } = await bundle(project, { outdir, definition: false, quiet: true });
    copyPackages(outside, outdir);
    const icon = readIcon(join(project.root, "icon.png"));
    const platform = outside.some(({ reason }) => reason === "native") ? process.platform : undefined;
    const made = makeManifest({
      definition,
      facts: readPackageFacts(project.root),
      settings: (await readSettings(project, variables)).settings,
      entryPoint: `dist/${basename(project.entry).replace(/\.[cm]?[jt]sx?$/, ".mjs")}`,
      node: `${oldestNode()}.0`,
      platform,
      icon: icon === undefined ? undefined : "icon.png",
    });
    if ("problems" in made) {
      throw new CommandError(`The bundle cannot be made:\n${made.problems.map((one) => `  - ${one}.`).join("\n")}`);
    }
    const entries: readonly ZipEntry[] = [
      { path: "manifest.json", content: Buffer.from(stableJson(made.manifest)) },
      // Without a package.json, Node would read modules whose extension is ambiguous as CommonJS.
      { path: "package.json", content: Buffer.from(stableJson({ type: "module", private: true })) },
      ...(icon === undefined ? [] : [{ path: "icon.png", content: icon }]),
      ...filesOf(folder),
    ];
    const content = zip(entries);
    return {
      content,
      sha256: createHash("sha256").update(content).digest("hex"),
      manifest: made.manifest,
      files: entries.map(({ path }) => path),
      platform,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the icon of the bundle, if there is one. Anything but a picture, such as a link to another file, is not
 * published.
 */
export function readIcon(file: string): Uint8Array | undefined {
  if (!existsSync(file)) return undefined;
  const content = statSync(file).isFile() ? readFileSync(file) : Buffer.alloc(0);
  if (content.subarray(0, pngStart.length).equals(pngStart)) return content;
  throw new CommandError(`${file} is not a picture in PNG. Put one there, or take it away: the bundle needs none.`);
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The files of a build by path, without source maps, which are useless without the sources. */
function filesOf(folder: string): readonly ZipEntry[] {
  const paths = globSync("dist/**/*", { cwd: folder }).filter(
    (path) => statSync(join(folder, path)).isFile() && !path.endsWith(".mjs.map"),
  );
  return paths.toSorted().map((path) => {
    const file = join(folder, path);
    return {
      path: path.replaceAll(sep, "/"),
      content: readFileSync(file),
      executable: (statSync(file).mode & 0o100) !== 0,
    };
  });
}
