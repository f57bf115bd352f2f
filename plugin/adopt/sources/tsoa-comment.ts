import { ts } from "ts-morph";
import { docComment } from "../base/comment.ts";
import { leaveOpen } from "../base/context.ts";
import type { Drafts } from "../code/drafts.ts";
import { commentOf, tenonTag } from "../code/tsoa-tags.ts";

/** The comment of a method: its text and tags, and the comment of each parameter. */
export interface MethodComment {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  /** The comment of a parameter, with a line break at its end; empty without one. */
  readonly ofParameter: (name: string) => string;
}

/** Reads the comment of a controller's method. Tags such as `@minimum age 18` belong to the named parameter. */
export function methodComment({ context }: Drafts, method: ts.MethodDeclaration): MethodComment {
  const types = new Map(method.parameters.map(({ name, type, initializer }) => [name.getText(), type ?? initializer]));
  const texts = new Map<string, string>();
  const bounds = new Map<string, readonly string[]>();
  const { text, tags } = commentOf(method);
  const [own, sentences]: [string[], string[]] = [[], text === undefined ? [] : [text]];
  for (const tag of tags) {
    const [, first = "", rest = ""] = /^(?:\{[^}]*\}\s*)?\[?([\w$]+)\]?(?:\.\S*)?\s*([^]*)$/.exec(tag.text) ?? [];
    if (ts.isJSDocParameterTag(tag.node)) texts.set(tag.node.name.getText(), rest.replace(/^-\s*/, ""));
    else if (types.has(first) && tag.name !== "returns" && tag.name !== "summary") {
      const line = tenonTag(context, { ...tag, text: rest }, types.get(first));
      if (line !== undefined) bounds.set(first, [...(bounds.get(first) ?? []), line]);
    } else if (tag.name === "summary" || tag.name === "description") sentences.push(tag.text);
    else if (tag.name === "example")
      leaveOpen(context, tag.node, "an example of a result has no tag", "write an example of the request");
    else own.push(...[tenonTag(context, tag)].filter((line) => line !== undefined));
  }
  return {
    text: sentences.length === 0 ? undefined : sentences.join("\n"),
    tags: own,
    ofParameter: (name) => docComment(texts.get(name), bounds.get(name) ?? []),
  };
}
