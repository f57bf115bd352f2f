/**
 * Packages whose comments are read, in the versions whose comments were looked at: 36 of all kinds, and those whose
 * tags say the same as ours.
 */
export const foreignPackages: Readonly<Record<string, string>> = {
  "class-validator": "0.15.1",
  "@tsoa/runtime": "6.6.0",
  zod: "4.6.7",
  typia: "14.0.6",
  typedoc: "0.28.20",
  "@octokit/openapi-types": "29.0.1",
  stripe: "23.1.0",
  "@slack/types": "3.2.0",
  openai: "6.49.0",
  grammy: "1.46.0",
  "kubernetes-types": "1.30.0",
  "@types/estree": "1.0.10",
  "schema-dts": "2.1.0",
  "vega-lite": "6.4.3",
  "@notionhq/client": "5.26.0",
  "@types/aws-lambda": "8.10.164",
  "discord-api-types": "0.38.57",
  "@nestjs/swagger": "12.0.2",
  fastify: "5.12.8",
  csstype: "3.2.4",
  "@types/react": "19.3.0",
  "@types/node": "26.6.6",
  vite: "8.3.8",
  rollup: "4.68.8",
  webpack: "5.112.2",
  prettier: "3.10.1",
  eslint: "10.15.0",
  axios: "1.21.1",
  graphql: "16.15.0",
  rxjs: "7.8.2",
  "puppeteer-core": "24.43.1",
  mongodb: "7.9.0",
  "@aws-sdk/client-s3": "3.1175.0",
  "@sinclair/typebox": "0.34.52",
  "openapi-types": "12.1.3",
  ajv: "8.20.0",
  "ts-json-schema-generator": "2.4.0",
  "typescript-json-schema": "0.68.0",
  "@angular/core": "21.2.26",
  "playwright-core": "1.65.1",
};

/** Unknown tags of these packages that are tags, and no words of prose: they were looked at one by one. */
export const tagsOfPackages: ReadonlySet<string> = new Set(
  [
    "Annotation NoSecurity Security TJS-type advanced api codeGenApi danger developerPreview docs docsPrivate format",
    "initializerApiFunction legacy maximum minProperties minimum publicAPI publicApi security sinceServerVersion unit",
    "unstable usage usageNotes",
  ].flatMap((line) => line.split(" ")),
);
