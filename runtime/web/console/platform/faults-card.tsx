import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { asRecord, toJson } from "../base/json.ts";
import { typed } from "../base/typed.ts";
import { useStore } from "../base/use-store.ts";
import { useLoaded, errorText } from "../base/use-loaded.ts";
import { Failure, Progress, Remark } from "../parts/notice.tsx";
import { useSession } from "../client/session.ts";
import { Card } from "../parts/card.tsx";

const switches = [
  ["drop", "share of calls cut", 0.05],
  ["dup", "share of calls repeated", 0.05],
  ["kill-lease", "share of leases lost", 0.05],
  ["delay", "most milliseconds", 50],
] as const;

/** Shows switches for injected faults, as `--fault` sets them. */
export function FaultsCard(): VNode {
  const { client } = useSession().backend;
  const [turn, setTurn] = useState(0);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const loaded = useLoaded(() => client.json("/faults"), [client, turn, useStore(client.epoch)], 5000);
  const faults = asRecord(loaded.value);
  const set = (name: string, value: number): void => {
    const init = {
      method: "PUT",
      headers: { "content-type": "application/json" },
      // The route sets all of them.
      body: toJson({ ...faults, [name]: value }),
    };
    client.json("/faults", init).then(
      () => {
        setFailure(undefined);
        setTurn((last) => last + 1);
      },
      (error: unknown) => setFailure(errorText(error)),
    );
  };
  return (
    <Card title="Faults">
      <Progress of={loaded} />
      {failure !== undefined && <Failure>{failure}</Failure>}
      <Remark>They meet calls of workers and services, never yours.</Remark>
      {switches.map(([name, label, step]) => (
        <label class="fault">
          <span>
            <code>{name}</code> {label}
          </span>
          <FaultInput
            max={name === "delay" ? 60_000 : 1}
            step={step}
            value={String(faults[name] ?? 0)}
            give={(value) => set(name, Number(value))}
          />
        </label>
      ))}
    </Card>
  );
}

interface FaultInputProps {
  readonly max: number;
  readonly step: number;
  readonly value: string;
  readonly give: (value: string) => void;
}

/** Shows a number that is given when the user leaves the input, and keeps what was typed while the page renders. */
function FaultInput({ max, step, value, give }: FaultInputProps): VNode {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  return (
    <input type="number" min={0} max={max} step={step} value={text} onInput={typed(setText)} onChange={typed(give)} />
  );
}
