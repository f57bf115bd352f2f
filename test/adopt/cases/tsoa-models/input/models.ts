export enum Role {
  Reader = "reader",
  Writer = "writer",
}

/**
 * A person who works here.
 * @example { "name": "Ada", "email": "ada@example.org", "role": "writer", "languages": ["en"], "age": 36 }
 */
export interface Person extends Named {
  /** @format email */
  email: string;
  role: Role;
  /**
   * Spoken languages
   * @minItems 1 at least one
   * @maxItems 5
   * @uniqueItems
   */
  languages: Language[];
  /**
   * @isInt must be whole
   * @minimum 16
   * @maximum 120
   * @example 36
   */
  age: number;
  /** @isDate */
  since?: string;
  /**
   * @isDateTime
   * @minDate 2020-01-01
   */
  seen?: Date;
  manager?: Person;
}

/**
 * A language by its code
 * @pattern ^[a-z]{2}$ two letters
 */
export type Language = string;

interface Named {
  /**
   * Full name
   * @isString
   * @maxLength 80
   */
  name: string;
}

export class Page {
  /**
   * @isInt
   * @default 20
   */
  size: number = 20;
  /** @isInt */
  from?: number;
}
