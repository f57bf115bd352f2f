import { parseUriTemplate, templateVariables } from "../../../runtime/contract/definition/uri-template.ts";
import type { ToolModel } from "../../model/tool.ts";
import type { ObjectType, TypeModel } from "../../model/type.ts";
import { tagPlace } from "../comments/doc-text.ts";
import type { ToolCandidate } from "./find-tools.ts";
import { otherKeys } from "../types/model-text.ts";
import { placeOf, report, type Place, type Reading } from "../base/reading.ts";

/** Fields of a prompt or a resource in the model. */
export type OfferModel = Pick<ToolModel, "kind" | "uri" | "mimeType" | "audience" | "priority">;

/**
 * Reads `@prompt` and `@resource URI`, and checks the rules of MCP for such a function: arguments that can be written
 * as text, and a result of the right kind. A mismatch is a diagnostic.
 */
export function readOffer(
  reading: Reading,
  candidate: ToolCandidate,
  request: ObjectType | undefined,
  model: Pick<ToolModel, "name" | "result" | "definitions">,
): OfferModel {
  const { kind, nameNode, doc } = candidate;
  if (kind === "tool") return {};
  const place = placeOf(nameNode);
  const problem = (message: string, fix: string, at: Place = place): void =>
    report(reading, { code: "TN119", place: at, message, fix });
  for (const field of request?.fields ?? []) {
    if (isText(field.type, model.definitions)) continue;
    problem(
      `Argument \`${field.key}\` of ${kind} \`${model.name}\` is not a single value, and callers give it as text.`,
      "take text, a number, a boolean, or a union of literals",
    );
  }
  if (request !== undefined && otherKeys(request).length > 0)
    problem(`The arguments of ${kind} \`${model.name}\` have no fixed names.`, "take each as a parameter of its own");
  const allowed = kind === "prompt" ? ["text", "content"] : ["text", "json", "bytes", "binary"];
  if (!allowed.includes(model.result.kind)) {
    const fix =
      kind === "prompt"
        ? "return text, `Content`, `Message`, or a list"
        : "return text, data, bytes or a `BinaryResult`";
    problem(`The result of ${kind} \`${model.name}\` does not have the type of a ${kind}.`, fix);
  }
  if (kind === "prompt") return { kind };
  const tag = doc?.tags.find((other) => other.name === "resource");
  const uri = tag?.text ?? "";
  const at = tag === undefined ? place : tagPlace(tag, place);
  checkTemplate(uri, request, (message, fix) => problem(message, fix, at));
  return { kind, uri, ...readResourceTags(candidate, problem, place) };
}

function checkTemplate(
  uri: string,
  request: ObjectType | undefined,
  problem: (message: string, fix: string) => void,
): void {
  const parts = parseUriTemplate(uri);
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(uri) || parts === undefined) {
    const fix =
      "write an address with a scheme, such as `notes://all` or `notes://{id}`; variables are `{name}`, `{+path}` and `{?name}`";
    return problem(uri === "" ? "`@resource` has no address." : `\`@resource ${uri}\` is not a valid address.`, fix);
  }
  const variables = templateVariables(parts);
  const fields = request?.fields ?? [];
  const missing = variables.find((name) => !fields.some((field) => field.key === name));
  if (missing !== undefined)
    problem(
      `The address has the variable \`${missing}\`, and the function has no such parameter.`,
      `add a parameter \`${missing}\``,
    );
  const stray = fields.find((field) => field.optional !== true && !variables.includes(field.key));
  if (stray !== undefined)
    problem(
      `Parameter \`${stray.key}\` does not occur in the address.`,
      `write it as \`{${stray.key}}\` into the address`,
    );
}

function readResourceTags(
  candidate: ToolCandidate,
  problem: (message: string, fix: string, at: Place) => void,
  place: Place,
): Omit<OfferModel, "kind" | "uri"> {
  const model: { -readonly [K in "mimeType" | "audience" | "priority"]?: NonNullable<OfferModel[K]> } = {};
  for (const tag of candidate.doc?.tags ?? []) {
    const at = tagPlace(tag, place);
    if (tag.name === "mimeType") {
      if (/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(tag.text)) model.mimeType = tag.text;
      else problem(`\`@mimeType ${tag.text}\` is not a valid media type.`, "write one such as `text/markdown`", at);
    } else if (tag.name === "audience") {
      const audience = tag.text.split(/[\s,]+/).filter((word) => word === "user" || word === "assistant");
      if (audience.length > 0) model.audience = audience;
      else problem(`\`@audience ${tag.text}\` names nobody.`, "write `user`, `assistant` or both", at);
    } else if (tag.name === "priority") {
      const priority = Number(tag.text);
      if (model.priority !== undefined) problem("`@priority` is given twice.", "keep one", at);
      else if (tag.text !== "" && priority >= 0 && priority <= 1) model.priority = priority;
      else problem(`\`@priority ${tag.text}\` is not a number from 0 to 1.`, "write one such as `0.5`", at);
    }
  }
  return model;
}

/** True when a wire value of the type can be written as text. */
function isText(type: TypeModel, definitions: ToolModel["definitions"]): boolean {
  switch (type.kind) {
    case "string":
    case "template":
    case "number":
    case "boolean":
    case "literal":
    case "date":
    case "url":
    case "bigint":
    case "bytes":
      return true;
    case "union":
      return type.members.every((member) => isText(member, definitions));
    case "ref": {
      const target = definitions[type.name];
      return target !== undefined && isText(target, definitions);
    }
    default:
      return false;
  }
}
