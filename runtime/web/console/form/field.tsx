import type { VNode } from "preact";
import { pointerOf } from "../base/pointer.ts";
import { describeLimits, describeType } from "../schema/describe.ts";
import { resolve } from "../schema/schema.ts";
import { fieldId, hintId } from "./field-element.ts";
import type { FieldProps } from "./field-props.ts";
import { Quiet } from "../parts/quiet-button.tsx";
import { Required } from "../parts/notice.tsx";

interface LabelledProps extends FieldProps {
  readonly label: string;
  /** Name of the field, if the label is a title. */
  readonly name?: string | undefined;
  readonly isRequired: boolean;
  readonly onRemove?: (() => void) | undefined;
}

/** Shows a field with its name, its type, the author's description, and its problem. */
export function Field({ label, name, isRequired, onRemove, ...props }: LabelledProps): VNode {
  const { schema, root, path, problems, input: Input } = props;
  const pointer = pointerOf(path);
  const at = resolve(schema, root);
  const problem = problems.get(pointer);
  const limits = describeLimits(at);
  return (
    <div class={`field${problem === undefined ? "" : " wrong"}`}>
      <div class="field-head">
        <label for={fieldId(pointer)} title={name}>
          {label}
          {isRequired && <Required />}
        </label>
        <span class="type">
          {name} {describeType(schema, root)}
        </span>
        {onRemove !== undefined && (
          <Quiet label={`Leave out ${label}`} press={onRemove}>
            ✕
          </Quiet>
        )}
      </div>
      <p class="hint" id={hintId(pointer)}>
        {at.description}
        {limits.length > 0 && <span class="limits"> {limits.join(" · ")}</span>}
        {problem !== undefined && <strong class="problem"> {problem}</strong>}
      </p>
      <Input {...props} />
    </div>
  );
}
