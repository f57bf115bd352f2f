/** `$schema` of every full schema; generated code takes it from here, so that a bundle holds it once. */
export const dialect = "https://json-schema.org/draft/2020-12/schema";
