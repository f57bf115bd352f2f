import { dirname, resolve } from "node:path";
import type { MagicString } from "magic-string";
import type { DefaultTreeAdapterTypes } from "parse5";
import { dataAddress } from "./asset.ts";
import { bundleScript } from "./bundle-script.ts";
import { headMark, scriptElement, scriptHash, styleElement } from "./html-parts.ts";
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
  image: ["href"],
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
  if (frames.has(tagName)) return refuse(work, element, `Hosts allow no \`<${tagName}>\` in a view.`, "leave it out");
  if (tagName === "script") return inlineScript(work, element);
  if (tagName === "style") return inlineSheet(work, element);
  if (tagName === "link") return inlineLink(work, element);
  for (const name of loading[tagName] ?? []) inlineAddress(work, element, name);
}

function valueOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
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
  work.text.overwrite(place.startOffset, place.endOffset, text.trim());
}

function inlineLink(work: Work, element: Element): void {
  const href = valueOf(element, "href") ?? "";
  if (isForeign(href)) return foreign(work, element, href);
  if (valueOf(element, "rel") !== "stylesheet") return inlineAddress(work, element, "href");
  const path = resolve(dirname(work.file), href);
  try {
    const { text, files, problems } = readStyle(path);
    for (const one of files) work.files.add(one);
    work.problems.push(...problems);
    const { startOffset, endOffset } = element.sourceCodeLocation ?? { startOffset: 0, endOffset: 0 };
    work.text.overwrite(startOffset, endOffset, styleElement(text) || "<style></style>");
  } catch {
    missing(work, element, href);
  }
}

function inlineAddress(work: Work, element: Element, name: string): void {
  const address = valueOf(element, name);
  const place = element.sourceCodeLocation?.attrs?.[name];
  if (address === undefined || place === undefined || /^(?:data:|blob:|#)/.test(address) || address === "") return;
  if (isForeign(address)) return foreign(work, element, address);
  const path = resolve(dirname(work.file), address);
  const data = dataAddress(path);
  if (data === undefined) return missing(work, element, address);
  work.files.add(path);
  work.text.overwrite(place.startOffset, place.endOffset, `${name}="${data}"`);
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
