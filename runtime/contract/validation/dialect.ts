/** `$schema` of every full schema. Generated code imports it, so that a bundle holds the text once. */
export const dialect = "https://json-schema.org/draft/2020-12/schema";
