import { relative } from "node:path";
import {
  type CompiledModule,
  type CompiledProject,
  type CompiledTool,
  type Diagnostic,
  openSession,
  type Session,
} from "../../plugin/index.ts";
import { checkAgainst } from "../contracts/against/check-against.ts";
import { fails } from "../contracts/exceptions.ts";

/** Milliseconds without a further edit before a check starts, for example during fast typing. */
const settleTime = 15;

interface ProjectOptions {
  /** Absolute folder of the package. */
  readonly root: string;
  /** A file of the project, from which its tsconfig is found if there is no entry. */
  readonly near: string;
  /** Absolute path of the entry; absent: each document is compiled separately. */
  readonly entry?: string;
  readonly checked: (checked: Checked) => void;
  readonly log: (line: string) => void;
  /** The contract with which the code is compared after each save. */
  readonly against?: string;
  readonly lensesChanged?: () => void;
}

/** The findings of the last check. */
export interface Checked {
  readonly root: string;
  /** Absolute path of the file in which findings about the whole project are shown. */
  readonly entry: string;
  readonly tools: readonly CompiledTool[];
  readonly diagnostics: readonly Diagnostic[];
  readonly service?: CompiledProject["service"];
  /** Number of breaking changes by tool, compared with the configured contract. */
  readonly breaking: ReadonlyMap<string, number>;
  /** The name of a file in positions: relative to the project, with forward slashes. */
  nameOf(file: string): string;
}

/** One project that is checked again after each change. */
export interface ProjectChecks {
  /** Uses a document's text instead of its file; undefined: the document was closed. */
  edit(file: string, text: string | undefined): void;
  /** Called when files on disk may have changed. */
  refresh(): void;
  /** Schedules a check; edits and refreshes schedule one as well. */
  check(): void;
  last(): Checked | undefined;
  /** Resolves when a check of the current texts has finished. */
  settled(): Promise<void>;
  dispose(): void;
}

export function openProjectChecks(options: ProjectOptions): ProjectChecks {
  const { root, near, entry, log } = options;
  const session: Session = openSession({ root, entry: entry ?? near, judgesTexts: true });
  const nameOf = (file: string): string => relative(root, file).replaceAll("\\", "/");
  const documents = new Set<string>();
  let breaking: ReadonlyMap<string, number> = new Map();
  let last: Checked | undefined;
  let isStale = false;
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDisposed = false;
  let comparing: Promise<void> | undefined;
  let isCompared = true;

  async function compile(): Promise<Checked> {
    const whole = entry === undefined ? undefined : await session.compile();
    const reached = new Set(whole?.dependencies);
    const alone = await session.compileAlone([...documents].filter((file) => !reached.has(file)));
    return {
      root,
      entry: entry ?? near,
      tools: [...(whole?.tools ?? []), ...alone.flatMap((module: CompiledModule) => module.tools)],
      diagnostics: [...(whole?.diagnostics ?? []), ...alone.flatMap(({ diagnostics }) => diagnostics)],
      ...(whole?.service && { service: whole.service }),
      breaking,
      nameOf,
    };
  }

  /** Repeats the check until no edit came during a check: findings of an older text would have wrong positions. */
  async function run(): Promise<void> {
    while (isStale) {
      isStale = false;
      try {
        const checked = await compile();
        if (isDisposed) return;
        if (isStale) continue;
        last = checked;
        options.checked(checked);
      } catch (error) {
        // The cause may be temporary, such as packages that are being installed. So earlier findings stay, and the next
        // change starts another check.
        log(`tenon: ${root} cannot be checked: ${(error as Error).message}`);
      }
    }
  }

  /** Runs a check now, unless the last check has already seen the current texts. */
  function settled(): Promise<void> {
    if (running === undefined && !isStale) return Promise.resolve();
    return (running ??= run().finally(() => (running = undefined)));
  }

  function check(): void {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void settled(), settleTime);
  }

  /** Compares the last check with the contract, and compares again if a save came meanwhile. */
  async function compare(against: string): Promise<void> {
    while (!isCompared) {
      isCompared = true;
      await settled();
      if (isDisposed || last?.service === undefined) return;
      try {
        const { findings } = await checkAgainst(against, last.service, last, root);
        const counts = new Map<string, number>();
        for (const one of findings.filter(fails)) counts.set(one.tool, (counts.get(one.tool) ?? 0) + 1);
        breaking = counts;
        last = { ...last, breaking };
        options.lensesChanged?.();
      } catch (error) {
        log(`tenon: the contract cannot be compared with ${against}: ${(error as Error).message}`);
      }
    }
  }

  return {
    edit(file, text) {
      const isNew = text !== undefined && !documents.has(file);
      if (text === undefined) documents.delete(file);
      else documents.add(file);
      if (session.edit(file, text) || isNew) check();
    },
    refresh() {
      session.refresh();
      check();
      isCompared = false;
      const { against } = options;
      if (against !== undefined) comparing ??= compare(against).finally(() => (comparing = undefined));
    },
    check,
    last: () => last,
    settled,
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
      void (running ?? Promise.resolve()).then(() => session.dispose());
    },
  };
}
