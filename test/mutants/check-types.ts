/** Asks the compiler whether a mutated file still compiles: what the build refuses needs no test. */
import { join } from "node:path";
import ts from "typescript";

/** Returns the first error of a file of the project with another text; undefined where it compiles. */
export type CheckTypes = (file: string, code: string) => string | undefined;

/** Opens the project in `root`. The first check takes seconds, each other one a fraction of one. */
export function openTypeCheck(root: string): CheckTypes {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent({ ...(config as object), include: [], files: [] }, ts.sys, root);
  let at = { path: "", code: "", version: 0 };
  const service = ts.createLanguageService({
    getScriptFileNames: () => [at.path],
    getScriptVersion: (path) => (path === at.path ? String(at.version) : "0"),
    getScriptSnapshot(path) {
      const code = path === at.path ? at.code : ts.sys.readFile(path);
      return code === undefined ? undefined : ts.ScriptSnapshot.fromString(code);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  return (file, code) => {
    at = { path: join(root, file), code, version: at.version + 1 };
    const [first] = [...service.getSyntacticDiagnostics(at.path), ...service.getSemanticDiagnostics(at.path)];
    return first && ts.flattenDiagnosticMessageText(first.messageText, " ");
  };
}
