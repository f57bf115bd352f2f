export const shared = { within: "1 day", scope: "orders:shared" } as const;
