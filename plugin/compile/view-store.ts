import { dirname, resolve } from "node:path";
import type { HtmlText } from "../views/html-view.ts";
import { viewDiagnostic } from "../views/view-problem.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { relativeFile } from "../read/base/relative-file.ts";
import { createFileStates, type RecordedInputs } from "./cache/file-states.ts";
import { openKeptResults } from "./cache/kept-result.ts";
import type { CompiledModule } from "./compiled-module.ts";
import type { TenonOptions } from "./options.ts";

/** The views of one project. Each view is bundled again only after a change of its files. */
export interface ViewStore {
  /** The view in a file. */
  read(file: string): Promise<HtmlText>;
  /** Returns the problems of those views that tools of the given modules use. */
  diagnostics(modules: readonly CompiledModule[]): readonly Diagnostic[];
}

/** A view on disk; its files are relative to the project. */
type KeptView = Pick<HtmlText, "html" | "hashes" | "files">;

/** Opens the store of a project in a folder. */
export function openViewStore(root: string, options: TenonOptions): ViewStore {
  const results = openKeptResults<KeptView>("views", root, options, createFileStates(root));
  const known = new Map<string, { readonly view: HtmlText; readonly inputs: RecordedInputs | undefined }>();

  function recall(file: string): { readonly view: HtmlText; readonly inputs: RecordedInputs } | undefined {
    const kept = results.get(file);
    if (kept === undefined) return undefined;
    const { html, hashes, files } = kept.value;
    return { view: { html, hashes, files: files.map((one) => resolve(root, one)), problems: [] }, inputs: kept.inputs };
  }

  return {
    async read(file) {
      const states = createFileStates(root);
      const before = known.get(file) ?? recall(file);
      if (before?.inputs !== undefined && states.match(before.inputs)) {
        known.set(file, before);
        return before.view;
      }
      const [{ bundleView }, { viewInputs }] = await Promise.all([
        import("../views/bundle-view.ts"),
        import("../views/view-inputs.ts"),
      ]);
      const view = await bundleView(file);
      const { files, missing } = viewInputs(view.files, root);
      const read = new Map(files.map((one) => [one, undefined]));
      const inputs =
        view.problems.length > 0
          ? undefined
          : states.record({ complete: true, files: read, missing, links: new Map(), ambient: [] });
      known.set(file, { view, inputs });
      const { html, hashes } = view;
      const value = { html, hashes, files: view.files.map((one) => relativeFile(root, one)) };
      if (inputs !== undefined) results.set(file, { value, inputs });
      return view;
    },
    diagnostics(modules) {
      const failed = [...known].filter(([, { view }]) => view.problems.length > 0);
      if (failed.length === 0) return [];
      const used = new Set(viewFiles(modules));
      return failed
        .filter(([file]) => used.has(file))
        .flatMap(([, { view }]) => view.problems.map((one) => viewDiagnostic(one, (file) => relativeFile(root, file))));
    },
  };
}

/** Reads all views of modules. Returns the absolute paths of the files in them. */
export async function readViews(store: ViewStore, modules: readonly CompiledModule[]): Promise<readonly string[]> {
  const views = await Promise.all(viewFiles(modules).map((file) => store.read(file)));
  return views.flatMap(({ files }) => files);
}

function viewFiles(modules: readonly CompiledModule[]): readonly string[] {
  const files = modules.flatMap(({ file, tools }) =>
    tools.flatMap(({ model: { view } }) =>
      view === undefined || view.file === "auto" ? [] : resolve(dirname(file), view.file),
    ),
  );
  return [...new Set(files)];
}
