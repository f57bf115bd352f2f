import { isAbsolute, resolve } from "node:path";
import type { Build } from "../compile/build.ts";
import { viewSuffix } from "../model/view-specifier.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { viewDiagnostic } from "../views/view-problem.ts";
import { reportText } from "./report.ts";

/** Matches imports of views, and ids of their modules. */
export const viewImport: RegExp = /\?tenon-view\.js$/;

/** Id of the module of a view; undefined for another import. */
export function resolveView(specifier: string, folder: string | undefined): string | undefined {
  if (!viewImport.test(specifier)) return undefined;
  return isAbsolute(specifier) || folder === undefined ? specifier : resolve(folder, specifier);
}

/** Absolute path of the view in a module with this id. */
function viewFile(id: string): string {
  return id.slice(0, -viewSuffix.length);
}

/** The module of a view. */
export interface ViewModuleText {
  readonly code: string;
  /** Absolute paths of the files in the view. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes the module of a view; a module with problems throws, because some bundlers write their output after a failed
 * build.
 */
export async function viewModule(build: Pick<Build, "view">, id: string): Promise<ViewModuleText> {
  const { html, hashes, files, problems } = await build.view(viewFile(id));
  const diagnostics = problems.map((one) => viewDiagnostic(one, (file) => file));
  const code =
    diagnostics.length > 0
      ? `throw new Error(${JSON.stringify(`This build failed.\n\n${reportText(diagnostics)}`)});\nexport {};\n`
      : `import { viewPage } from "tenon/internal/view";\n` +
        `export const page = viewPage(${JSON.stringify(html)}, ${JSON.stringify(hashes)});\n`;
  return { code, files, diagnostics };
}
