/** Value of `$schema` in every full schema. Generated code imports it, so that a bundle contains the text once. */
export const dialect = "https://json-schema.org/draft/2020-12/schema";
