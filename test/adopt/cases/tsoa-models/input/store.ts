import type { Person } from "./models.js";

export interface People {
  page(from: number, size: number): Promise<Person[]>;
  find(name: string): Promise<Person | undefined>;
  put(person: Person): Promise<Person>;
  remove(names: string[], isDry: boolean): Promise<any>;
}
