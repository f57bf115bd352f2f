import { brief } from "../base/brief.ts";
import { contentMark, messageMark } from "../contract/process-keys.ts";
import type { ContentAnnotations, ContentBlock } from "../contract/contract.ts";

/** Options of all kinds of content. */
export interface ContentOptions {
  /** Intended readers; absent: user and assistant. */
  readonly audience?: readonly ("user" | "assistant")[];
  /** From 0 (optional) to 1 (required). */
  readonly priority?: number;
  /** Time of the last change. */
  readonly lastModified?: Date | string;
}

/** Options of a link, describing the resource that it leads to. */
export interface LinkOptions extends ContentOptions {
  /** Short name of the link; default: the last part of the address. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Size of the resource in bytes. */
  readonly size?: number;
}

const mediaType = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/;

/**
 * A piece of a result that a model or a person sees. A tool may return one, a list of them, or a list of them and
 * strings:
 *
 * ```ts
 * return ["Two plots:", Content.image(first, "image/png"), Content.link("https://example.com/second", { name: "second"
 * })];
 * ```
 */
export class Content {
  /** Content in the form of MCP messages; binary data is base64. */
  readonly block: ContentBlock;
  /** Mark by which the class is recognised across copies of the package. */
  readonly [contentMark]: true = true;

  private constructor(block: ContentBlock) {
    this.block = block;
  }

  static text(text: string, options?: ContentOptions): Content {
    return new Content({ type: "text", text, ...annotated(options) });
  }

  /** @throws TypeError when `mimeType` is not a media type such as `image/png` */
  static image(data: Uint8Array, mimeType: string, options?: ContentOptions): Content {
    return new Content({ type: "image", data: base64(data), mimeType: checked(mimeType), ...annotated(options) });
  }

  /** @throws TypeError when `mimeType` is not a media type such as `audio/wav` */
  static audio(data: Uint8Array, mimeType: string, options?: ContentOptions): Content {
    return new Content({ type: "audio", data: base64(data), mimeType: checked(mimeType), ...annotated(options) });
  }

  /**
   * Makes a resource with its content: a string as text, bytes as base64. Default type: `text/plain`,
   * `application/octet-stream`.
   */
  static resource(uri: string, content: string | Uint8Array, mimeType?: string, options?: ContentOptions): Content {
    const resource =
      typeof content === "string"
        ? { uri, mimeType: checked(mimeType ?? "text/plain"), text: content }
        : { uri, mimeType: checked(mimeType ?? "application/octet-stream"), blob: base64(content) };
    return new Content({ type: "resource", resource, ...annotated(options) });
  }

  /** Makes a link to a resource, for example to an artifact's URN. A reader that needs the content fetches it. */
  static link(uri: string, options: LinkOptions = {}): Content {
    const { name = lastPart(uri), title, description, mimeType, size, ...rest } = options;
    return new Content({
      type: "resource_link",
      uri,
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(mimeType !== undefined && { mimeType: checked(mimeType) }),
      ...(size !== undefined && { size }),
      ...annotated(rest),
    });
  }

  toJSON(): ContentBlock {
    return this.block;
  }
}

/** One message of a prompt. Strings and contents that a prompt returns are messages of the user. */
export class Message {
  readonly role: "user" | "assistant";
  readonly content: ContentBlock;
  /** Mark by which the class is recognised across copies of the package. */
  readonly [messageMark]: true = true;

  private constructor(role: "user" | "assistant", content: string | Content) {
    this.role = role;
    this.content = blockOf(content);
  }

  static user(content: string | Content): Message {
    return new Message("user", content);
  }

  static assistant(content: string | Content): Message {
    return new Message("assistant", content);
  }
}

/** Converts a piece to the form of MCP messages. */
export function blockOf(content: string | Content): ContentBlock {
  return typeof content === "string" ? { type: "text", text: content } : content.block;
}

function annotated(options: ContentOptions = {}): { readonly annotations?: ContentAnnotations } {
  const { audience, priority, lastModified } = options;
  if (priority !== undefined && !(priority >= 0 && priority <= 1))
    throw new TypeError(`A priority is a number from 0 to 1, not ${brief(priority)}.`);
  const annotations = {
    ...(audience !== undefined && { audience }),
    ...(priority !== undefined && { priority }),
    ...(lastModified !== undefined && {
      lastModified: lastModified instanceof Date ? lastModified.toISOString() : lastModified,
    }),
  };
  return Object.keys(annotations).length === 0 ? {} : { annotations };
}

function base64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
}

function checked(mimeType: string): string {
  if (typeof mimeType === "string" && mimeType.length <= 1000 && mediaType.test(mimeType)) return mimeType;
  throw new TypeError(`${brief(mimeType)} is not a valid media type; write one such as "image/png".`);
}

function lastPart(uri: string): string {
  return uri.split(/[/:]/).findLast((part) => part !== "") ?? uri;
}
