/** An answer with its body. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Blob;
  /** The body, if its type is textual; undefined for other types, and for a body that is too long to be shown. */
  readonly text: string | undefined;
}

/** Maximum bytes of a body that is shown as text. */
const longestText = 4_000_000;

/** Reads an answer to its end. */
export async function readAnswer(response: Response): Promise<Answer> {
  const body = await response.blob();
  const type = response.headers.get("content-type") ?? "";
  const isText = /^text\/|json|xml|^application\/vnd\.platform\.|^$/.test(type) && body.size <= longestText;
  return {
    status: response.status,
    type,
    headers: [...response.headers],
    body,
    text: isText ? await body.text() : undefined,
  };
}
