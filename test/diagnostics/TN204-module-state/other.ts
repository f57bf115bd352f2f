export const shared = { value: 0 };
