export const shared = { value: 0, names: ["a"], sizes: new Map<string, number>() };
