/** Descriptions of a change, as it was before and after. */
export interface ChangeTexts {
  readonly before: string;
  readonly after: string;
  /** For changes of a key: true if the schema that does not require the key still declares it. */
  readonly isKnown: boolean;
}

/** Name and sentence of a change in one direction. */
export interface RuleText {
  readonly rule: string;
  readonly text: (texts: ChangeTexts) => string;
}

interface RulePair {
  /** Rule for a change after which fewer values are accepted. */
  readonly narrowed: RuleText;
  /** Rule for a change after which more values are accepted. */
  readonly widened: RuleText;
}

const became = ({ before, after }: ChangeTexts): string => `${before} became ${after}`;
const bound = (rule: string, name: string): RulePair => {
  const text = ({ before, after }: ChangeTexts): string => `the ${name} went from ${before} to ${after}`;
  return { narrowed: { rule: `${rule}-tightened`, text }, widened: { rule: `${rule}-loosened`, text } };
};

/** Every way in which two schemas of one place can differ. */
export const schemaRules = {
  type: { narrowed: { rule: "type-changed", text: became }, widened: { rule: "type-changed", text: became } },
  integer: {
    narrowed: { rule: "number-became-integer", text: became },
    widened: { rule: "integer-became-number", text: became },
  },
  choice: {
    narrowed: { rule: "became-choice", text: became },
    widened: { rule: "choice-opened", text: became },
  },
  values: {
    narrowed: { rule: "value-removed", text: ({ before }) => `no longer has the value ${before}` },
    widened: { rule: "value-added", text: ({ after }) => `also has the value ${after}` },
  },
  null: {
    narrowed: { rule: "null-removed", text: () => "is no longer null" },
    widened: { rule: "null-added", text: () => "may be null" },
  },
  member: {
    narrowed: { rule: "member-removed", text: ({ before }) => `no longer has the choice ${before}` },
    widened: { rule: "member-added", text: ({ after }) => `also has the choice ${after}` },
  },
  required: {
    narrowed: {
      rule: "required-added",
      text: ({ isKnown }) => (isKnown ? "became required" : "is new and required"),
    },
    widened: { rule: "required-removed", text: ({ isKnown }) => (isKnown ? "became optional" : "was removed") },
  },
  key: {
    narrowed: { rule: "key-refused", text: () => "is refused" },
    widened: { rule: "key-accepted", text: () => "is no longer refused" },
  },
  otherKeys: {
    narrowed: { rule: "keys-closed", text: () => "no longer has keys of any name" },
    widened: { rule: "keys-opened", text: () => "has keys of any name" },
  },
  urn: {
    narrowed: { rule: "urn-changed", text: ({ before, after }) => `the URN ${before} became ${after}` },
    widened: { rule: "urn-changed", text: ({ before, after }) => `the URN ${before} became ${after}` },
  },
  minimum: bound("minimum", "minimum"),
  maximum: bound("maximum", "maximum"),
  multipleOf: bound("multiple", "step"),
  minLength: bound("min-length", "minimum length"),
  maxLength: bound("max-length", "maximum length"),
  pattern: bound("pattern", "pattern"),
  format: bound("format", "format"),
  minItems: bound("min-items", "minimum number of elements"),
  maxItems: bound("max-items", "maximum number of elements"),
  uniqueItems: {
    narrowed: { rule: "unique-items-added", text: () => "elements must be distinct" },
    widened: { rule: "unique-items-removed", text: () => "elements may be equal" },
  },
} as const satisfies Readonly<Record<string, RulePair>>;

export type SchemaRule = keyof typeof schemaRules;
