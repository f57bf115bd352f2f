import type { VNode } from "preact";
import { typed } from "../base/typed.ts";

interface ChoiceProps {
  /** Attributes that connect the element to its label. */
  readonly wiring?: object;
  /** The chosen value; -1 as long as there is none. */
  readonly value: string | number;
  /** Values, each with its label. */
  readonly options: readonly (readonly [value: string | number, name: string])[];
  readonly give: (value: string) => void;
}

/** Shows a choice without a label, which is elsewhere. */
export function Choice({ wiring, value, options, give }: ChoiceProps): VNode {
  return (
    <select {...wiring} value={value} onInput={typed(give)}>
      {value === -1 && <option value={-1}>choose</option>}
      {options.map(([key, name]) => (
        <option value={key}>{name}</option>
      ))}
    </select>
  );
}

interface SelectProps extends ChoiceProps {
  readonly label: string;
}

/** Shows a choice with a label before it. */
export function Select({ label, ...props }: SelectProps): VNode {
  return (
    <label>
      {label} <Choice {...props} />
    </label>
  );
}
