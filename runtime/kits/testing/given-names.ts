import type { ToolDefinition } from "../../contract/contract.ts";
import { nearestName } from "../../contract/nearest-name.ts";
import type { StepBook } from "../../job/steps/step-book.ts";

/** Steps and messages that a test gives, by their names. */
interface Given {
  readonly kept?: Readonly<Record<string, unknown>>;
  readonly failed?: Readonly<Record<string, unknown>>;
  readonly messages?: Readonly<Record<string, unknown>>;
  /** Present in a recorded history. */
  readonly steps?: readonly unknown[];
}

/** The names in `kept`, `failed` and `messages` that a test has written, and those that its job asks for. */
export class GivenNames {
  readonly #given: Given;
  readonly #steps = new Set<string>();
  readonly #messages = new Set<string>();

  constructor(given: Given) {
    this.#given = given;
  }

  /** Notes for which steps and messages the job asks. */
  follow(book: StepBook): StepBook {
    const { known } = book;
    const get = known.get.bind(known);
    Object.assign(known, { get: (key: string) => (this.#steps.add(formOf(key)), get(key)) });
    return { ...book, message: (name) => (this.#messages.add(formOf(name)), book.message(name)) };
  }

  /**
   * Throws for a name that the tool has nowhere. Steps in other modules are not in the definition, so an unknown name
   * may be right, if the job has failed before it asked for it.
   */
  check({ name: tool, steps = [], waits = [] }: ToolDefinition, hasSucceeded: boolean): void {
    // A recorded history may have steps that a later build has removed.
    if (this.#given.steps !== undefined) return;
    const lists = [
      { option: "kept", what: `a step of ${tool}`, defined: steps, asked: this.#steps },
      { option: "failed", what: `a step of ${tool}`, defined: steps, asked: this.#steps },
      { option: "messages", what: `a message that ${tool} waits for`, defined: waits, asked: this.#messages },
    ] as const;
    for (const { option, what, defined, asked } of lists) {
      const known = [
        ...new Set([...defined.map(({ name, keyed }) => (keyed === true ? `${name}[…]` : name)), ...asked]),
      ];
      for (const given of Object.keys(this.#given[option] ?? {})) {
        if (given.startsWith("~") || known.includes(formOf(given))) continue;
        const near = nearestName(formOf(given), known);
        if (!hasSucceeded && near === undefined) continue;
        const names = known.filter((one) => !one.startsWith("~")).join(", ");
        const hint = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
        throw new TypeError(
          `${option}: ${JSON.stringify(given)} is not ${what}.${hint} Known are: ${names === "" ? "none" : names}.`,
        );
      }
    }
  }
}

/** A name in the form in which messages show it: `ship[…]` for any key. */
function formOf(key: string): string {
  return key.replace(/\[.*\]$/s, "[…]");
}
