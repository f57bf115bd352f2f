export function greet(name: string): string;
