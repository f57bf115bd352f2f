import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { describeLimits, describeType } from "../schema/describe.ts";
import { entryOf, fieldsOf, isRequired, resolve, type Schema } from "../schema/schema.ts";
import { usePortion } from "../parts/portion.tsx";
import { toJson } from "../base/json.ts";
import { Dim, Required } from "../parts/notice.tsx";

/** A field by its key, or one of several types without a key. */
type Part = readonly [key: string, schema: Schema, isRequired?: boolean];

/** Levels of lists and unions around the fields that are shown; a type may contain itself. */
const deepest = 4;

/**
 * Shows a schema as a list of parts with types, constraints, descriptions and examples. Nested parts are opened on
 * demand.
 */
export function SchemaView({ schema }: { readonly schema: Schema }): VNode {
  const at = resolve(schema, schema);
  return <Parts parts={fieldsOf(at).length > 0 ? partsOf(at, schema) : [["", schema]]} root={schema} depth={0} />;
}

interface PartsProps {
  readonly parts: readonly Part[];
  readonly root: Schema;
  readonly depth: number;
}

function Parts({ parts, root, depth }: PartsProps): VNode {
  const [shown, more] = usePortion(parts, 60, "fields");
  return (
    <ul class="schema">
      {shown.map(([key, part, isMust]) => {
        const own = resolve(part, root);
        const inner = partsOf(own, root);
        return (
          <li>
            {key !== "" && <code>{key}</code>}
            {isMust && <Required />} <span class="type">{describeType(part, root)}</span> <Limits schema={own} />
            {own.description !== undefined && <p>{own.description}</p>}
            {inner.length > 0 && <Inner parts={inner} root={root} depth={depth + 1} />}
          </li>
        );
      })}
      <li>{more}</li>
    </ul>
  );
}

function Limits({ schema }: { readonly schema: Schema }): VNode {
  const examples = (schema.examples ?? []).slice(0, 3).map((example) => `e.g. ${toJson(example).slice(0, 60)}`);
  return <span class="limits">{[...describeLimits(schema), ...examples].join(" · ")}</span>;
}

/** Shows the parts of a part. They are rendered only when opened, since a type may contain itself. */
function Inner(props: PartsProps): VNode {
  const { parts, depth } = props;
  const [isOpen, setOpen] = useState(depth < 2);
  const what = parts[0]?.[0] === "" ? "type" : "field";
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Dim>{`${parts.length} ${what}${parts.length > 1 ? "s" : ""}`}</Dim>
      </summary>
      {isOpen && <Parts {...props} />}
    </details>
  );
}

/**
 * The fields of an object; of a list, a map or a union the fields of the only type in it that has some, or the types
 * that have some.
 */
function partsOf(schema: Schema, root: Schema, depth = 0): readonly Part[] {
  const { items, prefixItems = [], patternProperties = {}, anyOf, oneOf = [] } = schema;
  const fields = fieldsOf(schema);
  const entry = entryOf(schema);
  const values = [...(entry ? [entry] : []), ...Object.values(patternProperties)];
  if (fields.length > 0) {
    const named = fields.map(([key, field]): Part => [key, field, isRequired(schema, key)]);
    return [...named, ...values.map((value): Part => ["other keys", value])];
  }
  if (depth > deepest) return [];
  const inner = [...(items ? [items] : []), ...values, ...prefixItems, ...(anyOf ?? oneOf)]
    .map((part) => [part, partsOf(resolve(part, root), root, depth + 1)] as const)
    .filter(([, parts]) => parts.length > 0);
  return inner.length === 1 ? (inner[0]?.[1] ?? []) : inner.map(([part]): Part => ["", part]);
}
