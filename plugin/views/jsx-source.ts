import { createRequire } from "node:module";

/** The library for a view's JSX, and the code that renders a component on the page. */
export interface JsxSource {
  /** Package for which JSX is compiled; undefined if the author's tsconfig names it. */
  readonly importSource?: string;
  /** Module that exports `useState` and `useEffect`. */
  readonly hooks: string;
  /** Statements that render `view.default` into `#root`. */
  readonly mount: string;
}

const preact: JsxSource = {
  hooks: "preact/hooks",
  mount: 'import { h, render } from "preact";\nconst mount = (root) => render(h(view.default, null), root);',
};
const react: JsxSource = {
  hooks: "react",
  mount:
    'import { createElement } from "react";\nimport { createRoot } from "react-dom/client";\n' +
    "const mount = (root) => createRoot(root).render(createElement(view.default));",
};

/**
 * Finds the library of a view: the one that the view's tsconfig names, else React or Preact, whichever is installed.
 * Undefined if the tsconfig names another library, with which views must render themselves.
 */
export async function findJsxSource(file: string): Promise<JsxSource | undefined> {
  const { resolveTsconfig } = await import("rolldown/experimental");
  const options = (resolveTsconfig(file)?.tsconfig as { compilerOptions?: JsxOptions } | undefined)?.compilerOptions;
  const { jsx, jsxImportSource, jsxFactory } = options ?? {};
  if (jsxImportSource !== undefined) return { preact, react }[jsxImportSource];
  if (jsxFactory === "h") return preact;
  if (jsx !== undefined && jsx !== "preserve") return react;
  const installed = ["react", "preact"].find((name) => isInstalled(name, file)) ?? "preact";
  return { importSource: installed, ...(installed === "react" ? react : preact) };
}

interface JsxOptions {
  readonly jsx?: string;
  readonly jsxImportSource?: "preact" | "react";
  readonly jsxFactory?: string;
}

function isInstalled(name: string, near: string): boolean {
  try {
    createRequire(near).resolve(name);
    return true;
  } catch {
    return false;
  }
}
