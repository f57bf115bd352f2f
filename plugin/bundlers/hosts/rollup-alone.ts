import { isBuiltin } from "node:module";
import { dirname, normalize, resolve } from "node:path";
import type { InputOptions, Plugin, PluginContext, ResolveIdResult, TransformPluginContext } from "rollup";
import type { ModuleHooks } from "../../hooks/module-hooks.ts";
import { findSource, sourceFile } from "../../packages/find-tool-files.ts";
import { isOwnFile, ownModule, ownSpecifier } from "../../packages/own-module.ts";
import { scriptHooks } from "../../hooks/standard-decorators.ts";
import { readText } from "../../read/base/read-text.ts";

/** Hooks that replace those of the main plugin. */
export interface AloneHooks {
  withLastPlugins(options: InputOptions): InputOptions;
  readonly resolveId: {
    readonly order: "pre";
    handler(this: PluginContext, id: string, importer: string | undefined): ResolveIdResult;
  };
}

/**
 * Lets Rollup build a service without other plugins: by itself it supports neither TypeScript nor packages. These
 * plugins come last, so that they handle only modules that no plugin of the user has handled. If the user has no plugin
 * that resolves packages, `tenon` stays an import, since Rollup could not resolve the imports of its runtime.
 */
export function rollupAlone({ resolveId }: Pick<ModuleHooks, "resolveId">): AloneHooks {
  const state = { findsPackages: true };
  return {
    withLastPlugins: (options) => ({ ...options, plugins: [options.plugins, lastPlugins(state)] }),
    resolveId: {
      // Runs before the user's plugin for packages, which could add a second copy of packages that a service must
      // contain only once.
      order: "pre",
      handler(id, importer) {
        if (ownSpecifier.test(id) && !state.findsPackages) return { id, external: true };
        return resolveId.handler.call(this, id, importer);
      },
    },
  };
}

function lastPlugins(state: { findsPackages: boolean }): Plugin[] {
  /** Text of each module before the user's plugins have transformed it. */
  const sources = new Map<string, string>();
  let loadsJavaScript = false;
  let isCompiled = false;
  return [
    scriptHooks(),
    {
      name: "tenon:source",
      async buildStart({ plugins }) {
        sources.clear();
        isCompiled = false;
        // `@rollup/plugin-typescript` returns JavaScript from `load`, without types. It still checks the types.
        loadsJavaScript = plugins.some(({ name }) => name === "typescript");
        state.findsPackages = (await this.resolve("pino", ownModule("tenon"))) !== null;
      },
      load: {
        order: "pre",
        handler: (id) => (loadsJavaScript && isSource(id) ? readText(id) : undefined),
      },
      transform: {
        order: "pre",
        handler: (code, id) => void (isSource(id) && sources.set(id, code)),
      },
    },
    {
      name: "tenon:typescript",
      resolveId(id, importer) {
        if (isBuiltin(id)) return { id, external: true };
        return importer !== undefined && /^\.{1,2}\//.test(id) ? findSource(resolve(dirname(importer), id)) : undefined;
      },
      transform(code, id) {
        if (!isSource(id)) return undefined;
        const isUnchanged = sources.get(id) === code;
        sources.delete(id);
        // If another plugin has compiled one module, it is assumed to compile all modules.
        if (!isUnchanged) isCompiled ||= isJavaScript(this, code);
        return !isUnchanged && isCompiled ? undefined : stripTypes(this, code, id);
      },
    },
  ];
}

function isSource(id: string): boolean {
  return sourceFile.test(id) && !isOwnFile(normalize(id));
}

function isJavaScript(context: TransformPluginContext, code: string): boolean {
  try {
    context.parse(code);
    return true;
  } catch {
    return false;
  }
}

/** Compiles a module for the oldest Node version that services support. */
async function stripTypes(context: TransformPluginContext, code: string, id: string) {
  const { transform } = await import("rolldown/utils");
  const result = await transform(id, code, { target: "node22", sourcemap: true });
  const [error] = result.errors;
  if (error !== undefined) context.error(error.message);
  if (Object.keys(result.helpersUsed).length > 0) context.error(newSyntax(id));
  return { code: result.code, map: result.map ?? null };
}

function newSyntax(id: string): string {
  return (
    `tenon: \`${id}\` has syntax that is newer than Node 22 (\`using\`, or a decorator), and Rollup cannot lower it. ` +
    'Add a plugin that compiles TypeScript, such as `rollup-plugin-esbuild` with `target: "es2024"`.'
  );
}
