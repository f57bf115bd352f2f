import type { VNode } from "preact";
import { formatBytes } from "../base/format.ts";
import type { LeafProps } from "./text-input.tsx";
import { Dim } from "../parts/notice.tsx";

/** A file, which becomes base64. */
export function BytesInput({ wiring, value, onChange }: LeafProps): VNode {
  const length = typeof value === "string" ? Math.floor((value.replace(/=+$/, "").length * 3) / 4) : 0;
  const read = (file: File | undefined): void => {
    if (file === undefined) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => onChange(String(reader.result).replace(/^[^,]*,/, "")));
    reader.readAsDataURL(file);
  };
  return (
    <div class="row">
      <input type="file" {...wiring} onChange={(event) => read(event.currentTarget.files?.[0])} />
      <Dim>{formatBytes(length)}</Dim>
    </div>
  );
}
