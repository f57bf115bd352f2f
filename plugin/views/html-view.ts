import { dirname, resolve } from "node:path";
import type { MagicString } from "magic-string";
import type { DefaultTreeAdapterTypes } from "parse5";
import { dataAddress } from "./asset.ts";
import { bundleScript } from "./bundle-script.ts";
import { attributesExcept, changeAttribute, changeSourceSet, valueOf } from "./html-attributes.ts";
import { headMark, scriptElement, scriptHash, styleContent, styleElement } from "./html-parts.ts";
import { inlineStyle, readStyle } from "./style-text.ts";
import { foreignProblem, isForeign, placeIn, type ViewProblem } from "./view-problem.ts";

type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.Node;

/** A document in which everything is inline. */
export interface HtmlText {
  readonly html: string;
  /** Source expressions for a content security policy that allow the document's scripts. */
  readonly hashes: readonly string[];
  readonly files: readonly string[];
  readonly problems: readonly ViewProblem[];
}

interface Work {
  readonly file: string;
  readonly source: string;
  readonly text: MagicString;
  readonly hashes: string[];
  readonly files: Set<string>;
  readonly problems: ViewProblem[];
}

/** Attributes that load a file. */
const loading: Readonly<Record<string, readonly string[]>> = {
  img: ["src"],
  source: ["src"],
  audio: ["src"],
  video: ["src", "poster"],
  track: ["src"],
  input: ["src"],
  image: ["href"],
  feImage: ["href"],
};
/** Elements that embed other pages, which no host allows. */
const frames: ReadonlySet<string> = new Set(["iframe", "frame", "object", "embed", "base"]);

/** Reads an HTML view: scripts, styles and pictures to which it refers are inlined. */
export async function readHtmlView(file: string, source: string): Promise<HtmlText> {
  const [{ parse }, magic] = await Promise.all([import("parse5"), import("magic-string")]);
  const work: Work = {
    file,
    source,
    text: new magic.MagicString(source),
    hashes: [],
    files: new Set([file]),
    problems: [],
  };
  const document = parse(source, { sourceCodeLocationInfo: true });
  const elements = elementsOf(document);
  for (const element of elements) await inlineElement(work, element);
  const head = elements.find(({ tagName }) => tagName === "head")?.sourceCodeLocation?.startTag;
  const root = elements.find(({ tagName }) => tagName === "html")?.sourceCodeLocation?.startTag;
  const type = document.childNodes.find(({ nodeName }) => nodeName === "#documentType")?.sourceCodeLocation;
  work.text.appendLeft(head?.endOffset ?? root?.endOffset ?? type?.endOffset ?? 0, headMark);
  const doctype = type === undefined || type === null ? "<!doctype html>" : "";
  const { hashes, files, problems } = work;
  return { html: `${doctype}${work.text.toString()}`, hashes, files: [...files], problems };
}

function elementsOf(node: Node): readonly Element[] {
  const own = "tagName" in node ? [node] : [];
  const children = "content" in node ? [node.content] : "childNodes" in node ? node.childNodes : [];
  return [...own, ...children.flatMap(elementsOf)];
}

async function inlineElement(work: Work, element: Element): Promise<void> {
  const { tagName } = element;
  checkHandlers(work, element);
  changeAttribute(work.text, element, { name: "style", change: (style) => inlineDeclarations(work, element, style) });
  for (const name of ["srcset", "imagesrcset"]) inlineAddresses(work, element, name);
  if (frames.has(tagName)) return refuse(work, element, `Hosts allow no \`<${tagName}>\` in a view.`, "leave it out");
  if (tagName === "script") return inlineScript(work, element);
  if (tagName === "style") return inlineSheet(work, element);
  if (tagName === "link") return inlineLink(work, element);
  if (tagName === "use") return checkUse(work, element);
  for (const name of loading[tagName] ?? []) inlineAddress(work, element, name);
}

function textIn({ childNodes }: Element): string {
  return childNodes.map((child) => ("value" in child ? child.value : "")).join("");
}

/**
 * Returns the text of an element after as many empty lines as precede it in the file, so that problems have the file's
 * line numbers.
 */
function textInPlace(element: Element): string {
  const line = element.childNodes[0]?.sourceCodeLocation?.startLine ?? 1;
  return `${"\n".repeat(line - 1)}${textIn(element)}`;
}

async function inlineScript(work: Work, element: Element): Promise<void> {
  const { file, text, hashes, files, problems } = work;
  const { startOffset, endOffset } = element.sourceCodeLocation ?? { startOffset: 0, endOffset: 0 };
  const [type = "", src] = [valueOf(element, "type"), valueOf(element, "src")];
  if (src !== undefined && isForeign(src)) return foreign(work, element, src);
  const isModule = type === "module";
  if (src === undefined && !isModule) {
    // Scripts of other types are skipped, since they are data.
    if (/^(?:|text\/javascript|application\/javascript)$/.test(type)) hashes.push(scriptHash(textIn(element)));
    return;
  }
  const bundled = await bundleScript(
    src === undefined ? { file, text: textInPlace(element) } : { file: resolve(dirname(file), src) },
  );
  for (const one of bundled.files) files.add(one);
  problems.push(...bundled.problems);
  const script = scriptElement(bundled.code);
  hashes.push(script.hash);
  text.overwrite(startOffset, endOffset, `${styleElement(bundled.style)}${script.html}`);
}

function inlineSheet(work: Work, element: Element): void {
  const [child] = element.childNodes;
  const place = child?.sourceCodeLocation;
  if (place === undefined || place === null) return;
  const { text, files, problems } = inlineStyle(textInPlace(element), work.file);
  for (const one of files) work.files.add(one);
  work.problems.push(...problems);
  work.text.overwrite(place.startOffset, place.endOffset, styleContent(text.trim()));
}

function inlineDeclarations(work: Work, element: Element, style: string): string {
  const { text, files, problems } = inlineStyle(style, work.file);
  for (const one of files) work.files.add(one);
  work.problems.push(...problems.map((one) => ({ ...one, ...placeOf(work, element) })));
  return text;
}

function inlineLink(work: Work, element: Element): void {
  const href = valueOf(element, "href") ?? "";
  if (isForeign(href)) return foreign(work, element, href);
  const kinds = (valueOf(element, "rel") ?? "").toLowerCase().split(/\s+/);
  if (!kinds.includes("stylesheet")) return inlineAddress(work, element, "href");
  if (kinds.includes("alternate") || valueOf(element, "disabled") !== undefined)
    return refuse(
      work,
      element,
      "Hosts offer no choice between the style sheets of a view.",
      "leave it out, or select by `media` or a class which rules apply",
    );
  const path = resolve(dirname(work.file), href);
  try {
    const { text, files, problems } = readStyle(path);
    for (const one of files) work.files.add(one);
    work.problems.push(...problems);
    const { startOffset, endOffset } = element.sourceCodeLocation ?? { startOffset: 0, endOffset: 0 };
    const attributes = attributesExcept(work.source, element, ["rel", "href"]);
    work.text.overwrite(startOffset, endOffset, styleElement(text, attributes) || "<style></style>");
  } catch {
    missing(work, element, href);
  }
}

function inlineAddress(work: Work, element: Element, name: string): void {
  changeAttribute(work.text, element, { name, change: (address) => embedded(work, element, address) });
}

function inlineAddresses(work: Work, element: Element, name: string): void {
  const change = (set: string): string => changeSourceSet(set, (address) => embedded(work, element, address));
  changeAttribute(work.text, element, { name, change });
}

/** The `data:` address of the file that an element names. The address itself, if there is nothing to embed. */
function embedded(work: Work, element: Element, address: string): string {
  if (/^(?:data:|blob:|#|$)/.test(address)) return address;
  const path = resolve(dirname(work.file), address);
  const data = isForeign(address) ? undefined : dataAddress(path);
  if (data !== undefined) work.files.add(path);
  else if (isForeign(address)) foreign(work, element, address);
  else missing(work, element, address);
  return data ?? address;
}

function checkUse(work: Work, element: Element): void {
  const address = valueOf(element, "href") ?? "#";
  if (address.startsWith("#")) return;
  const message = `\`<use>\` can show only what is in the page itself, and names \`${address}\`.`;
  refuse(work, element, message, "put the `<symbol>` into the view, and refer to it by `#` and its id");
}

function checkHandlers(work: Work, element: Element): void {
  const handler = element.attrs.find(({ name }) => /^on[a-z]+$/.test(name));
  if (handler === undefined) return;
  const message = `The policy of the page lets no attribute \`${handler.name}\` run.`;
  refuse(work, element, message, `call \`addEventListener("${handler.name.slice(2)}", …)\` in a script`);
}

function foreign(work: Work, element: Element, address: string): void {
  work.problems.push(foreignProblem(address, placeOf(work, element)));
}

function missing(work: Work, element: Element, address: string): void {
  const message = `The view names \`${address}\`, and there is no such picture, sound, film or style.`;
  refuse(work, element, message, "paths are relative to the view; create the file, or correct the path");
}

function refuse(work: Work, element: Element, message: string, fix: string): void {
  work.problems.push({ message, fix, ...placeOf(work, element) });
}

function placeOf({ file, source }: Work, { sourceCodeLocation }: Element): Omit<ViewProblem, "message"> {
  return { file, ...placeIn(source, sourceCodeLocation?.startOffset ?? 0) };
}
