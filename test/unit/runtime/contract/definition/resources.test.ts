import { expect, test } from "vitest";
import { defaultResources, parseResources } from "../../../../../runtime/contract/definition/resources.ts";

test.each<[string, object]>([
  ["{}", defaultResources],
  ['\ufeff{"$schema":"x"}', defaultResources],
  ['{"limits":null}', defaultResources],
  [
    '{"limits":{"cpu":2,"memory":"4Gi"}}',
    { limits: { cpu: "2", memory: "4Gi" }, requests: { cpu: "2", memory: "4Gi" } },
  ],
  [
    '{"limits":{"cpu":2},"requests":{"memory":"128Mi"}}',
    { limits: { cpu: "2", memory: "128Mi" }, requests: { cpu: "2", memory: "128Mi" } },
  ],
  [
    '{"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"1000m","memory":"1073741824"}}',
    { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "1000m", memory: "1073741824" } },
  ],
  [
    '{"requests":{"ephemeral_storage":"10Gi"}}',
    { limits: defaultResources.limits, requests: { ...defaultResources.requests, "ephemeral-storage": "10Gi" } },
  ],
  [
    '{"limits":{"ephemeral-storage":"1.5G","cpu":"0.5","memory":null}}',
    {
      limits: { cpu: "0.5", memory: "1Gi", "ephemeral-storage": "1.5G" },
      requests: { cpu: "0.5", memory: "1Gi" },
    },
  ],
])("%s is read", (text, resources) => expect(parseResources(text)).toEqual({ resources }));

const shape = '{"limits":{"cpu":"500m","memory":"1Gi"},"requests":{"cpu":"500m","memory":"1Gi"}}';
test.each<[string, string]>([
  ["", `it is not valid JSON. It should look like ${shape}`],
  ["[]", `it must hold an object such as ${shape}`],
  ['{"limit":{}}', 'it has the unknown key "limit"; known are "limits" and "requests"'],
  ['{"limits":[]}', '"limits" must be an object with "cpu" and "memory"'],
  [
    '{"limits":{"memroy":"1Gi"}}',
    '"limits" has the unknown key "memroy"; known are "cpu", "memory" and "ephemeral-storage"',
  ],
  ['{"requests":{"memory":"1 GB"}}', '"requests.memory" is "1 GB", which is not a quantity such as "500m" or "1Gi"'],
  ['{"requests":{"cpu":-1}}', '"requests.cpu" is -1, which is not a quantity such as "500m" or "1Gi"'],
  ['{"limits":{"cpu":"500m"},"requests":{"cpu":1}}', '"requests.cpu" is 1, which is more than "limits.cpu", 500m'],
  [
    '{"limits":{"memory":"1G"},"requests":{"memory":"1Gi"}}',
    '"requests.memory" is 1Gi, which is more than "limits.memory", 1G',
  ],
  ['{"requests":{"cpu":true}}', '"requests.cpu" is true, which is not a quantity such as "500m" or "1Gi"'],
])("%s is an error", (text, error) => expect(parseResources(text)).toEqual({ error }));
