// Shared by two chunks, so bundlers put it into a chunk of its own that runs before the entry.
console.log("[shared-chunk] console.log");

export const early = "early";
