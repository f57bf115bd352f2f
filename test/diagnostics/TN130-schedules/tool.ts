/**
 * Tests whether a number is prime.
 * @tool
 * @param number - The number to test.
 * @schedule "0 3 * * 1-5" Europe/Zurich {"number": 7} missed=all overlap=queue jitter=30s
 * @schedule 0 3 * * *
 * @schedule "0 25 * * *" {"number": 7}
 * @schedule "0 3 * *" {"number": 7}
 * @schedule "0 3 * * *" Europe/Zurch {"number": 7}
 * @schedule "0 3 * * *" Mars/Olympus_Mons {"number": 7}
 * @schedule "0 3 * * *" {"number": "7"}
 * @schedule "0 3 * * *"
 * @schedule "0 3 * * *" {"number": 7,}}
 * @schedule "0 3 * * *" {"number": 7} overlaps=queue
 * @schedule "0 3 * * *" {"number": 7} retry=3
 * @schedule "0 3 * * *" {"number": 7} overlap=never
 * @schedule "0 3 * * *" {"number": 7} overlap=skip overlap=queue
 * @schedule "0 3 * * *" {"number": 7} jitter=3
 * @schedule "0 3 * * *" {"number": 7} missed=all
 */
export function isPrime(number: number): boolean {
  return number === 2;
}
