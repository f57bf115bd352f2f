import type { VNode } from "preact";

interface SelectProps {
  readonly label: string;
  readonly value: string;
  /** Values with their names. */
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice with a name before it. */
export function Select({ label, value, options, onChange }: SelectProps): VNode {
  return (
    <label>
      {label}{" "}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, name]) => (
          <option value={key}>{name}</option>
        ))}
      </select>
    </label>
  );
}
