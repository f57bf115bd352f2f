/** @schema urn:example:schema.page.request.1 */
export class Page {
  /**
   * @type integer
   * @default 20
   */
  size: number = 20;
  /** @type integer */
  from?: number;
}

export interface Named {
  /**
   * Full name
   * @maxLength 80
   */
  name: string;
}

export enum Role {
  Reader = "reader",
  Writer = "writer",
}

/**
 * A language by its code
 * @pattern ^[a-z]{2}$
 */
export type Language = string;

/**
 * A person who works here.
 * @example {"name":"Ada","email":"ada@example.org","role":"writer","languages":["en"],"age":36}
 * @schema urn:example:schema.person.result.1
 */
export interface Person extends Named {
  /** @format email */
  email: string;
  role: Role;
  /**
   * Spoken languages
   * @minItems 1
   * @maxItems 5
   * @uniqueItems
   */
  languages: Language[];
  /**
   * @type integer
   * @minimum 16
   * @maximum 120
   * @example 36
   */
  age: number;
  /** @format date */
  since?: string;
  seen?: Date;
  manager?: Person;
}
