import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createDevPlugin } from "../../plugin/bundlers/dev.ts";
import { unbuildable } from "../build/bundle.ts";
import { keepOutside } from "../build/outside-packages.ts";
import { collectUnresolved } from "../build/unresolved-imports.ts";
import type { Project } from "../project/project.ts";
import { type BundledPackages, bundlePackages } from "./bundle-packages.ts";
import { createFileNames } from "./module-files.ts";
import { originFile, originText, starterOf, starterText } from "./module-runner.ts";
import { createModuleStore } from "./module-store.ts";
import { type DevInput, renderModules } from "./render-modules.ts";
import { createTargets, type Target } from "./targets.ts";

/** Result of a build. */
export interface Built {
  /** Folder of the output. */
  readonly outdir: string;
  /** File to run, relative to the output folder; it changes with every build. */
  readonly entry: string;
  /** Number of the build that wrote the file. */
  readonly generation: number;
  /** Source files whose earlier tools are no longer valid, by the file names that tool definitions use. */
  readonly replaced: readonly string[];
  /** Files of earlier builds that are not needed any more, relative to the output folder. */
  readonly dropped: readonly string[];
  /** Findings of the plugin that do not fail the build. */
  readonly warnings: readonly string[];
  /** The service definition; its text is made on demand. */
  readonly definition?: { readonly file: string; readonly text: string };
  /** Writes the service definition, without being awaited. */
  writeDefinition(): void;
}

/** The builds of one `tenon dev`. */
export interface DevBuild {
  /**
   * Builds changed files. `appeared`: new files exist, to which imports may resolve. Throws errors of the bundler and
   * the plugin; the next build catches up.
   */
  build(changed: ReadonlySet<string>, appeared: boolean): Promise<Built>;
  /**
   * Makes the next build write the modules of a build that could not be loaded to files with new names, since Node
   * loads each file only once.
   */
  retry(generation: number): void;
  /** Absolute paths of the files that the next build depends on. */
  files(): ReadonlySet<string>;
}

/**
 * Builds a service module by module, so that a save rebuilds only the changed modules: each module of the project is
 * rendered into a file of its own. Packages are bundled, once.
 */
export function createDevBuild(project: Project, outdir: string): DevBuild {
  const { root, entry, external = [] } = project;
  const plugin = createDevPlugin();
  const targets = createTargets();
  const names = createFileNames(targets);
  const outside = keepOutside(root, external);
  const unresolved = collectUnresolved(root);
  const input: DevInput = {
    cwd: root,
    platform: "node",
    transform: { target: "node22" },
    plugins: [outside.plugin, ...plugin.plugins],
    // Errors are thrown as exceptions; other messages about packages do not concern the author.
    onLog: (_level, log) => unresolved.note(log),
  };
  const write = (file: string, content: string | Uint8Array): void => writeFileSync(join(outdir, file), content);
  const store = createModuleStore(entry, plugin, async (ids) => {
    const { modules, others } = await renderModules(ids, targets, input, outdir);
    endWhereUnresolved();
    for (const other of others) write(other.fileName, other.type === "chunk" ? other.code : other.source);
    return modules;
  });
  const used = new Set<Target>();
  const banners: string[] = [];
  let packages: BundledPackages | undefined;
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  write(originFile, originText);

  function endWhereUnresolved(): void {
    const { errors } = unresolved.take();
    if (errors.length > 0) throw unbuildable(project, errors);
  }

  /** Bundles packages, and bundles again if only the result shows that one of them is native. */
  async function bundleUsed(): Promise<BundledPackages> {
    for (;;) {
      try {
        const bundled = await bundlePackages([...used], targets, input, outdir);
        endWhereUnresolved();
        return bundled;
      } catch (error) {
        if (!outside.learned()) throw error;
        unresolved.take();
      }
    }
  }

  /** Bundles packages again when they or their used parts have changed. */
  async function packagesFor(all: Iterable<Target>): Promise<BundledPackages> {
    for (const target of all) if (target.kind !== "module") used.add(target);
    if (packages === undefined || [...used].some(({ token }) => packages?.files.has(token) !== true)) {
      packages = undefined;
      packages = await bundleUsed();
    }
    return packages;
  }

  function writeBanner(): string {
    const text = plugin.banner();
    if (!banners.includes(text)) {
      banners.push(text);
      write(`banner-${banners.length}.mjs`, text);
    }
    return `./banner-${banners.indexOf(text) + 1}.mjs`;
  }

  function note(changed: ReadonlySet<string>): void {
    store.change(changed);
    for (const file of changed) {
      if (packages?.modules.includes(file) === true) packages = undefined;
      // A change of tsconfig or package.json can change how imports resolve, and whether a module is CommonJS.
      if (!file.endsWith(".json") || store.modules.has(file)) continue;
      store.forget();
      packages = undefined;
    }
  }

  return {
    async build(changed, appeared) {
      note(changed);
      if (appeared) store.forget();
      plugin.begin(entry);
      await store.update();
      const modules = [...store.modules.values()];
      const { files, modules: bundled } = await packagesFor(modules.flatMap((module) => module.targets));
      const finished = plugin.finish([...store.modules.keys(), ...bundled]);
      const next = names.next({ entry, modules: store.modules, packages: files, banner: writeBanner() });
      for (const { file, text } of next.files) write(file, text);
      write(starterOf(next.entry), starterText(next.entry));
      const { generation, replaced, dropped } = next;
      return { outdir, entry: next.entry, generation, replaced, dropped, ...finished };
    },
    retry: (generation) => names.retry(generation),
    files() {
      const shaping = [...store.modules.values()].flatMap(({ dependencies }) => [...dependencies]);
      const all = [...store.wanted(), ...shaping, ...(packages?.modules ?? [])];
      return new Set(all.filter((id) => !id.startsWith("\0")));
    },
  };
}
