import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { describeLimits, describeType } from "../schema/describe.ts";
import { entryOf, fieldsOf, resolve, type Schema } from "../schema/schema.ts";
import { usePortion } from "../parts/portion.tsx";
import { toJson } from "../base/json.ts";
import { Required } from "../parts/notice.tsx";

interface SchemaProps {
  readonly schema: Schema;
  readonly root: Schema;
  readonly depth?: number;
}

/**
 * Shows a schema as a list of parts with types, constraints, descriptions and examples. Nested parts are opened on
 * demand.
 */
export function SchemaView({ schema, root, depth = 0 }: SchemaProps): VNode {
  const at = resolve(schema, root);
  const [shown, more] = usePortion(partsOf(at), 60, "fields");
  const entries = depth === 0 && fieldsOf(at).length === 0 ? [["", schema] as const] : shown;
  return (
    <ul class="schema">
      {entries.map(([key, part]) => {
        const own = resolve(part, root);
        return (
          <li>
            {key !== "" && <code>{key}</code>}
            {at.required?.includes(key) && <Required />} <span class="type">{describeType(part, root)}</span>{" "}
            <Limits schema={own} />
            {own.description !== undefined && <p>{own.description}</p>}
            {partsOf(own).length > 0 && <Part schema={part} root={root} depth={depth + 1} />}
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

/** Shows a nested part. It is rendered only when opened, since a type may contain itself. */
function Part({ schema, root, depth }: Required<SchemaProps>): VNode {
  const [isOpen, setOpen] = useState(depth < 2);
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{describeType(schema, root)}</summary>
      {isOpen && <SchemaView schema={schema} root={root} depth={depth} />}
    </details>
  );
}

/** The fields of an object, and the parts of a list, a map or a union that have parts of their own. */
function partsOf(schema: Schema): readonly (readonly [key: string, schema: Schema])[] {
  const { items, prefixItems = [], patternProperties = {} } = schema;
  const inner = [
    items === false ? undefined : items,
    entryOf(schema),
    ...prefixItems,
    ...Object.values(patternProperties),
    ...(schema.anyOf ?? schema.oneOf ?? []),
  ].filter((part) => part !== undefined && (part.$ref !== undefined || partsOf(part).length > 0));
  return [...fieldsOf(schema), ...inner.map((part) => ["", part as Schema] as const)];
}
