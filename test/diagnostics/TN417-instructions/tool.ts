import { Service } from "tenon";

/** Tests whether a number is prime.
 * @tool
 * @param number - The number to test. */
export function isPrime(number: number): boolean {
  return number === 2;
}

const instructions = `
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
Tests numbers for every property that number theory knows, one after the other, and says which of them they have.
`;

export const service = new Service({ name: "Numbers", instructions });
