import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asText, recordIn } from "../base/json.ts";
import { pointerOf } from "../base/pointer.ts";
import { typed } from "../base/typed.ts";
import { fieldId, hintId } from "../form/field-element.ts";
import type { FieldProps } from "../form/field-props.ts";
import { Input } from "../form/input.tsx";
import type { Host } from "./host.ts";
import type { JsonObject } from "./wire.ts";

interface CompletedProps extends FieldProps {
  readonly host: Host;
  /** Prompt or resource of the argument. */
  readonly of: JsonObject;
}

/** Shows the input for an argument whose value the service completes while the user types. */
export function CompletedInput({ host, of, ...props }: CompletedProps): VNode {
  const { path, value, give, problems } = props;
  const [offered, setOffered] = useState<readonly unknown[]>([]);
  const text = asText(value);
  const name = String(path[0]);
  useEffect(() => {
    let isOver = false;
    const params = { ref: of, argument: { name, value: text ?? "" } };
    host.request({ method: "completion/complete", params }).then(
      (result) => {
        const { values } = recordIn(result, "completion");
        if (!isOver && Array.isArray(values)) setOffered(values);
      },
      () => setOffered([]),
    );
    return () => {
      isOver = true;
    };
  }, [text]);
  if (text === undefined) return <Input {...props} />;
  const id = fieldId(pointerOf(path));
  return (
    <>
      <input
        type="text"
        id={id}
        aria-describedby={hintId(pointerOf(path))}
        aria-invalid={problems.has(pointerOf(path))}
        list={`${id}-offered`}
        autocomplete="off"
        value={text}
        onInput={typed(give)}
      />
      <datalist id={`${id}-offered`}>
        {offered.map((one) => (
          <option value={String(one)} />
        ))}
      </datalist>
    </>
  );
}
