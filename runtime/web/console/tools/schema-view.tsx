import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { describeLimits, describeType } from "../schema/describe.ts";
import { choicesOf, fieldsOf, resolve } from "../schema/schema.ts";
import type { Schema } from "../schema/schema.ts";
import { usePortion } from "../parts/portion.tsx";
import { toJson } from "../base/json.ts";
import { Required } from "../parts/notice.tsx";

interface SchemaProps {
  readonly schema: Schema;
  readonly root: Schema;
  readonly depth?: number;
}

/** A schema as a list of fields with types, constraints, the author's words and examples; parts open when asked for. */
export function SchemaView({ schema, root, depth = 0 }: SchemaProps): VNode {
  const at = resolve(schema, root);
  const fields = fieldsOf(at);
  const [shown, more] = usePortion(fields, 60, "fields");
  if (fields.length === 0) {
    const inner = innerOf(at);
    return (
      <div class="schema">
        <p>
          <span class="type">{describeType(schema, root)}</span> <Limits schema={at} />
        </p>
        {depth === 0 && at.description !== undefined && <p>{at.description}</p>}
        {inner.map((part) => (
          <Part schema={part} root={root} depth={depth + 1} />
        ))}
      </div>
    );
  }
  const required = new Set(at.required);
  return (
    <ul class="schema">
      {shown.map(([key, field]) => {
        const own = resolve(field, root);
        return (
          <li>
            <code>{key}</code>
            {required.has(key) && <Required />} <span class="type">{describeType(field, root)}</span>{" "}
            <Limits schema={own} />
            {own.description !== undefined && <p>{own.description}</p>}
            {hasParts(own) && <Part schema={field} root={root} depth={depth + 1} />}
          </li>
        );
      })}
      {shown.length < fields.length && <li>{more}</li>}
    </ul>
  );
}

function Limits({ schema }: { readonly schema: Schema }): VNode {
  const examples = (schema.examples ?? []).slice(0, 3).map((example) => `e.g. ${toJson(example).slice(0, 60)}`);
  return <span class="limits">{[...describeLimits(schema), ...examples].join(" · ")}</span>;
}

/** A nested part, made when it is opened: a type may contain itself. */
function Part({ schema, root, depth }: Required<SchemaProps>): VNode {
  const [isOpen, setOpen] = useState(depth < 2);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{describeType(schema, root)}</summary>
      {isOpen && <SchemaView schema={schema} root={root} depth={depth} />}
    </details>
  );
}

/** The schemas inside of a list, a map or a union that have fields of their own. */
function innerOf(schema: Schema): readonly Schema[] {
  const { items, additionalProperties, prefixItems = [], patternProperties = {} } = schema;
  const parts = [
    ...(items === undefined || items === false ? [] : [items]),
    ...(typeof additionalProperties === "object" ? [additionalProperties] : []),
    ...prefixItems,
    ...Object.values(patternProperties),
    ...(schema.anyOf ?? schema.oneOf ?? []),
  ];
  return parts.filter((part) => part.$ref !== undefined || hasParts(part));
}

function hasParts(schema: Schema): boolean {
  return (
    fieldsOf(schema).length > 0 ||
    innerOf(schema).length > 0 ||
    (choicesOf(schema) ?? []).some((one) => one.$ref !== undefined)
  );
}
