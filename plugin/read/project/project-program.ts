import { ts } from "ts-morph";
import type { ConfigSource, Level } from "./compiler-config.ts";
import { augmentingFiles } from "./reading-inputs.ts";
import type { createSourceHost } from "./source-host.ts";
import { stubPath } from "./platform-stub.ts";

/**
 * State of the program. `fresh`: it has all changes; `grown`: the next program reuses the last one; `restart`: the next
 * program reuses nothing, since imports may resolve differently.
 */
type State = "fresh" | "grown" | "restart";

interface ProjectProgramOptions {
  readonly host: ReturnType<typeof createSourceHost>;
  /** Modules that will be read; further ones may be added. */
  readonly roots: ReadonlySet<string>;
  readonly smallest: Level;
  readonly openConfig: () => ConfigSource;
}

const levels: readonly Level[] = ["lean", "full", "whole"];

/** The TypeScript program of a project, with its configuration and its level. It is created on demand. */
export class ProjectProgram {
  readonly #options: ProjectProgramOptions;
  #state: State = "restart";
  #level: Level;
  #config: ConfigSource | undefined;
  #program: ts.Program | undefined;
  #augmenting: readonly string[] = [];

  constructor(options: ProjectProgramOptions) {
    this.#options = options;
    this.#level = options.smallest;
  }

  get level(): Level {
    return this.#level;
  }

  /** Configuration of the last program; undefined before the first one. */
  get config(): ConfigSource | undefined {
    return this.#config;
  }

  /** Files of the last program that augment types of other files. */
  get augmenting(): readonly string[] {
    return this.#augmenting;
  }

  get(): ts.Program {
    if (this.#program !== undefined && this.#state === "fresh") return this.#program;
    const { host, roots, openConfig } = this.#options;
    this.#config ??= openConfig();
    const { options, files, references } = this.#config.at(this.#level);
    const stub = this.#level === "lean" ? [stubPath] : [];
    this.#program = ts.createProgram({
      rootNames: [...new Set([...stub, ...roots, ...files])],
      options,
      projectReferences: references,
      host: host.compilerHost(this.#level),
      ...(this.#state === "grown" && this.#program !== undefined && { oldProgram: this.#program }),
    });
    this.#augmenting = augmentingFiles(this.#program);
    this.#state = "fresh";
    return this.#program;
  }

  /** True when the current program contains a file. */
  has(path: string): boolean {
    return this.#state === "fresh" && this.knows(path);
  }

  /** True when the last program contains a file, even if the file has changed since. */
  knows(path: string): boolean {
    return this.#program?.getSourceFile(path) !== undefined;
  }

  /** Called when a file that the program contains, or will contain, has changed. */
  grow(): void {
    if (this.#state === "fresh") this.#state = "grown";
  }

  /** Discards the program, since imports may now resolve to other files. */
  restart(): void {
    this.#state = "restart";
  }

  /** Adds more of the platform's libraries. False when there are no more. */
  widen(): boolean {
    const next = levels[levels.indexOf(this.#level) + 1];
    if (next === undefined) return false;
    this.#level = next;
    this.restart();
    return true;
  }

  /**
   * Returns to the smallest level, and to the current configuration. Returns that configuration and the previous one.
   */
  refresh(): { readonly before: ConfigSource | undefined; readonly now: ConfigSource } {
    const before = this.#config;
    const now = this.#options.openConfig();
    this.#level = this.#options.smallest;
    this.#config = now;
    this.restart();
    return { before, now };
  }

  /** Reads the configuration again for the next program. */
  forgetConfig(): void {
    this.#config = undefined;
    this.restart();
  }

  /** Drops the program, and frees its memory. */
  drop(): void {
    this.#program = undefined;
    this.restart();
  }
}
