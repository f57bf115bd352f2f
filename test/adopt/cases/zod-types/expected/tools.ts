/** @schema urn:example:schema.types.request.1 */
export interface TypesRequest {
  /**
   * @minLength 2
   * @maxLength 9
   * @pattern ^[a-z\-]+$
   */
  text: string;
  /** @pattern ^[A-Z]{3}$ */
  code: string;
  /** @pattern ^a\.b */
  start: string;
  /**
   * An address
   * @format uri
   * @title Address
   */
  url: string;
  /** @format date-time */
  when: string;
  /** @format date */
  day?: string;
  /**
   * @type integer
   * @minimum 3
   */
  int: number;
  /**
   * At most 7
   * @maximum 7
   * @default 5
   */
  limited: number;
  /** @default "a" */
  choice: "a" | "b";
  colour: "red" | "green";
  level: 1 | 3;
  literal: "x" | 1 | null;
  flag: boolean;
  /**
   * @minItems 1
   * @maxItems 3
   */
  list: (/** @minLength 1 */ string)[];
  pair: [string, (/** @type integer */ number)];
  rest: [string, ...number[]];
  map: Record<string, /** @minimum 0 */ number>;
  either: /** @minLength 3 */ string | /** @minimum 3 */ number;
  both: {
    a: string;
  } & {
    b: string;
  };
  nullish?: string | null;
  person: Person;
  /** @default [] */
  people: Person[];
  part: {
    /** @format email */
    mail?: string;
  };
  less: {
    /** @format email */
    mail: string;
    /**
     * @type integer
     * @minimum 0
     */
    age: number | null;
  };
  key: "id" | "note" | "mail" | "age";
  /** @format email */
  mail: string;
  shape: Shape;
  tree: Node;
  any: unknown;
  open: {
    a: string;
    [key: string]: unknown;
  };
  deep: {
    list: {
      /**
       * X.
       * On two lines
       */
      x: number;
    }[];
  };
  /** @deprecated */
  old?: string;
  "odd-key": string;
  constructor: string;
}

export interface Person {
  /** @format uuid */
  id: string;
  note?: string;
  /** @format email */
  mail: string;
  /**
   * @type integer
   * @minimum 0
   */
  age: number | null;
}

export type Shape = {
  kind: "circle";
  /** @exclusiveMinimum 0 */
  r: number;
} | {
  kind: "square";
  /**
   * @exclusiveMaximum 100
   * @multipleOf 0.5
   */
  side: number;
};

export interface Node {
  value: string;
  children: Node[];
}

/**
 * Takes every type.
 * @tool
 */
export async function types(args: TypesRequest): Promise<string> {
  return JSON.stringify(args);
}
