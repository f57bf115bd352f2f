/** Script of the page at `/docs`. All data of the service is set as text, never as HTML. */
export const docsScript: string = String.raw`
const make = (tag, text, parent) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
};
const sample = (schema, root, depth = 0) => {
  if (!schema || depth > 6) return null;
  if (schema.$ref) {
    const name = schema.$ref.split("/").pop();
    return sample(root.$defs?.[name] ?? root.components?.schemas?.[name], root, depth + 1);
  }
  if (schema.examples?.length) return schema.examples[0];
  if ("default" in schema) return schema.default;
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return sample(schema.anyOf[0], root, depth + 1);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) {
    const keys = (schema.required ?? Object.keys(schema.properties ?? {})).filter((key) => key !== "$schema" && schema.properties[key] !== false);
    return Object.fromEntries(keys.map((key) => [key, sample(schema.properties?.[key], root, depth + 1)]));
  }
  if (type === "array") return [];
  if (type === "number" || type === "integer") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  return type === "string" ? "" : null;
};
const show = async (response, output) => {
  const type = response.headers.get("content-type") ?? "";
  const head = response.status + " " + response.statusText + "\n" + type + "\n\n";
  if (!type.includes("json") && !type.startsWith("text/")) {
    output.textContent = head + (await response.blob()).size + " bytes";
    return;
  }
  const text = await response.text();
  try {
    output.textContent = head + JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    output.textContent = head + text;
  }
};
const call = async (path, body, output) => {
  output.textContent = "…";
  try {
    let response = await fetch(base + path, { method: "POST", headers: { "content-type": "application/json" }, body });
    const job = response.headers.get("location");
    while (job && (response.status === 202 || response.status === 204)) {
      output.textContent = "waiting for " + job + " …";
      await new Promise((resolve) => setTimeout(resolve, 250));
      response = await fetch(job, { headers: { prefer: "wait=10" } });
    }
    await show(response, output);
  } catch (error) {
    output.textContent = String(error);
  }
};
// The page may stand under a path of its host.
const base = location.pathname.replace(/\\/docs$/, "");
const api = await (await fetch("openapi.json")).json();
document.title = api.info.title;
document.getElementById("title").textContent = api.info.title + " " + api.info.version;
document.getElementById("about").textContent = api.info.description ?? "";
for (const [path, { post }] of Object.entries(api.paths)) {
  if (!post) continue;
  const section = make("section", undefined, document.getElementById("tools"));
  make("h2", post.operationId ?? path, section);
  make("code", "POST " + path, section);
  make("p", post.description ?? post.summary ?? "", section);
  const media = post.requestBody?.content?.["application/json"];
  const root = media?.schema?.$defs ? media.schema : api;
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value ?? sample(media?.schema, root);
  const input = make("textarea", JSON.stringify(example ?? {}, null, 2), section);
  input.setAttribute("aria-label", "Request of " + (post.operationId ?? path));
  const button = make("button", "Call", section);
  const output = make("pre", "", section);
  output.setAttribute("aria-live", "polite");
  button.onclick = () => call(path, input.value, output);
}
`;
