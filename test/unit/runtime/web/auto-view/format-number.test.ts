import { expect, test } from "vitest";
import { formatNumber } from "../../../../../runtime/web/auto-view/format-number.ts";

test.each([
  [1_764_201_600_123, "1,764,201,600,123"],
  [Number.MAX_SAFE_INTEGER, "9,007,199,254,740,991"],
  [0.1 + 0.2, "0.3"],
  [1234.5, "1,234.5"],
])("%s", (value, text) => expect(formatNumber(value, "en")).toBe(text));
