import type { VNode } from "preact";
import { formatBytes } from "../base/format.ts";
import { Dim } from "../parts/notice.tsx";
import type { LeafProps } from "./text-input.tsx";

/** Shows an input for a file, whose content becomes base64. */
export function BytesInput({ wiring, value, give }: LeafProps): VNode {
  const length = typeof value === "string" ? Math.floor((value.replace(/=+$/, "").length * 3) / 4) : 0;
  const read = (file: File | undefined): void => {
    if (file === undefined) return;
    const reader = new FileReader();
    reader.addEventListener("load", () => give(String(reader.result).replace(/^[^,]*,/, "")));
    reader.readAsDataURL(file);
  };
  return (
    <div class="row">
      <input type="file" {...wiring} onInput={(event) => read(event.currentTarget.files?.[0])} />
      <Dim>{formatBytes(length)}</Dim>
    </div>
  );
}
