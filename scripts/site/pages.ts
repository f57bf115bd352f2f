import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

/** A page of the site. */
export interface Page {
  /** Path on the site without its ending, such as `rest` or `decisions/index`. */
  readonly path: string;
  readonly title: string;
  /** Markdown with links between pages of the site. */
  readonly text: string;
}

/** Files of the project's folder that are pages as well, with their paths on the site. */
const others: Readonly<Record<string, string>> = {
  "README.md": "index",
  "docs/index.md": "guides",
  "ARCHITECTURE.md": "architecture",
  "CHANGELOG.md": "changelog",
  "CONTRIBUTING.md": "contributing",
  "SECURITY.md": "reporting",
};

/** A link to a file: its text, which may be a picture, its path and its anchor. */
const link = /\[((?:!\[[^\]]*\]\([^)]*\)|[^\]])*)\]\((?!https?:|mailto:|#)([^)\s#]+)(#[^)\s]*)?\)/g;

/** A paragraph of pictures from the web, each perhaps a link: they are for the page of the repository. */
const badges = /^(?:\[?!\[[^\]]*\]\(https:[^)]*\)(?:\]\([^)]*\))?\s*)+\n(?=\n|\S)/m;

/** Reads the guides of a project; they stay plain files, which read well without the site. */
export function readPages(root: string): readonly Page[] {
  const files = globSync("docs/{*,decisions/*}.md", { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  return [...new Set([...Object.keys(others), ...files.toSorted()])].map((file) => {
    const text = readFileSync(posix.join(root, file), "utf8")
      .replace(/^<!--[\s\S]*?-->\s*/, "")
      .replace(badges, "");
    return { path: pathOf(file), title: /^# (.+)$/m.exec(text)?.[1] ?? file, text: withLinks(text, file) };
  });
}

function pathOf(file: string): string {
  return others[file] ?? file.replace(/^docs\//, "").replace(/\.md$/, "");
}

/**
 * Points links to files at the pages of the site. Pictures and links to the web stay as they are; a link to something
 * that only the project's repository has becomes its text.
 */
function withLinks(text: string, file: string): string {
  const here = posix.dirname(pathOf(file));
  return outsideCode(text, (part) =>
    // Two braces would begin an expression of the generator.
    part.replaceAll("{{", "&#123;&#123;").replace(link, (whole, label: string, target: string, anchor = "") => {
      const named = posix.join(posix.dirname(file), target);
      const isPage = named in others || /^docs\/(?:decisions\/)?[^/]+\.md$/.test(named);
      if (isPage) return `[${label}](${relative(here, pathOf(named))}.md${anchor})`;
      return named.startsWith("docs/") ? `[${label}](${relative(here, named.slice("docs/".length))})` : label;
    }),
  );
}

/** Changes Markdown, but not its code. */
export function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[\s\S]*?^```|`[^`\n]*`)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

function relative(from: string, to: string): string {
  const path = posix.relative(from, to);
  return path.startsWith(".") ? path : `./${path}`;
}
