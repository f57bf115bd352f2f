import { nearestName } from "../../../runtime/contract/nearest-name.ts";
import type { LimitKey } from "../../model/tool.ts";
import type { FieldModel, ObjectType, TypeModel } from "../../model/type.ts";
import { report, type Place } from "../base/reading.ts";
import type { TypeContext } from "../base/type-context.ts";
import { modelText } from "../types/model-text.ts";
import { objectOf } from "../types/unions/make-union.ts";

/** Reads the key after `per`. A path that does not lead to exactly one value in every call is reported. */
export function readLimitKey(
  context: TypeContext,
  per: string,
  request: ObjectType | undefined,
  place: Place,
): LimitKey | undefined {
  if (per === "caller" || per === "caller.client") return { per };
  const [root, ...path] = per.split(".");
  if (root !== "request" || path.length === 0) {
    const nearest = nearestName(per, ["caller", "caller.client", "request"]);
    const isNear = nearest !== undefined && nearest !== per && nearest !== "request";
    report(context.reading, {
      code: "TN134",
      place,
      message: `\`${per}\` is not a part of a call.`,
      fix: isNear
        ? `write \`per ${nearest}\``
        : "write a field of the request such as `per request.account`, `per caller` or `per caller.client`",
    });
    return undefined;
  }
  let object = request;
  let type: TypeModel | undefined;
  for (const [index, name] of path.entries()) {
    const field = object?.fields.find(({ key }) => key === name);
    if (object === undefined || field === undefined) {
      reportUnknown(context, ["request", ...path.slice(0, index)].join("."), name, object?.fields, place);
      return undefined;
    }
    if (field.optional === true) {
      reportUnfit(context, per, `\`${name}\` may be missing`, "take a field that every call has", place);
      return undefined;
    }
    ({ type } = field);
    object = objectOf(type, context.definitions);
  }
  const kinds = type === undefined ? undefined : scalarKinds(type, context.definitions);
  if (kinds === undefined) {
    const [field = ""] = path.slice(-1);
    const inner = object?.fields.find((one) => one.optional !== true && scalarKinds(one.type, context.definitions));
    const fix =
      inner === undefined
        ? "take a field with one value: text, a number, a boolean or a date"
        : `take a field of it, such as \`${per}.${inner.key}\``;
    reportUnfit(
      context,
      per,
      `\`${field}\` is ${type === undefined ? "nothing" : `\`${modelText(type)}\``}`,
      fix,
      place,
    );
    return undefined;
  }
  return { per, ...(kinds.every((kind) => kind === "number") && { numeric: true }) };
}

/** Reports a field that an object does not have, and suggests the field with the most similar name. */
export function reportUnknown(
  context: TypeContext,
  owner: string,
  name: string,
  fields: readonly FieldModel[] = [],
  place: Place,
  withoutFields = "write `per caller` or `per caller.client`: there are no fields",
): void {
  const names = fields.map(({ key }) => key);
  const nearest = nearestName(name, names);
  report(context.reading, {
    code: "TN134",
    place,
    message: `\`${owner}\` has no field \`${name}\`${nearest === undefined ? "" : `; did you mean \`${nearest}\`?`}`,
    fix:
      nearest !== undefined
        ? `write \`${owner}.${nearest}\``
        : names.length === 0
          ? withoutFields
          : `take one of ${names
              .slice(0, 12)
              .map((one) => `\`${one}\``)
              .join(", ")}`,
  });
}

function reportUnfit(context: TypeContext, per: string, why: string, fix: string, place: Place): void {
  report(context.reading, {
    code: "TN135",
    place,
    message: `\`${per}\` cannot be the key of a limit: ${why}, and a key is one value that every call has.`,
    fix,
  });
}

/** Returns the kinds of a single value on the wire; undefined for a type that has other values too. */
function scalarKinds(
  type: TypeModel,
  definitions: ReadonlyMap<string, TypeModel>,
): readonly ("number" | "other")[] | undefined {
  switch (type.kind) {
    case "number":
      return ["number"];
    case "literal":
      return [typeof type.value === "number" ? "number" : "other"];
    case "string":
    case "template":
    case "boolean":
    case "date":
    case "url":
    case "bigint":
      return ["other"];
    case "union": {
      const parts = type.members.map((member) => scalarKinds(member, definitions));
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    case "ref": {
      const target = definitions.get(type.name);
      return target === undefined || target.kind === "ref" ? undefined : scalarKinds(target, definitions);
    }
    default:
      return undefined;
  }
}
