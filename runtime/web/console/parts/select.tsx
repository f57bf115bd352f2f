import type { VNode } from "preact";
import { typed } from "../base/typed.ts";

interface ChoiceProps {
  /** Attributes that tie it to its label. */
  readonly wiring?: object;
  readonly value: string | number;
  /** Values with their names. */
  readonly options: readonly (readonly [value: string | number, name: string])[];
  readonly give: (value: string) => void;
}

/** A choice whose name is somewhere else. */
export function Choice({ wiring, value, options, give }: ChoiceProps): VNode {
  return (
    <select {...wiring} value={value} onInput={typed(give)}>
      {options.map(([key, name]) => (
        <option value={key}>{name}</option>
      ))}
    </select>
  );
}

interface SelectProps extends ChoiceProps {
  readonly label: string;
}

/** A choice with a name before it. */
export function Select({ label, ...props }: SelectProps): VNode {
  return (
    <label>
      {label} <Choice {...props} />
    </label>
  );
}
