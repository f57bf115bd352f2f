import { expectTypeOf, test } from "vitest";
import type { ServiceClient } from "../../runtime/client/service-client.ts";
import type { ToolClient, WaitingJobHandle } from "../../runtime/client/tool-client.ts";

interface Tools {
  readonly pay: (request: { order: string }) => Promise<{ paid: Date }>;
  readonly plain: (request: { text: string }) => string;
}
interface Messages {
  readonly pay: { readonly approval: { approved: boolean } };
}
type Client = ServiceClient<Tools, object, Messages>;

test("`send` of a job takes the messages that its tool waits for, and their types", () => {
  type Handle = ReturnType<Client["pay"]["job"]>;
  expectTypeOf<Handle>().toEqualTypeOf<WaitingJobHandle<{ paid: Date }, Messages["pay"]>>();
  expectTypeOf<Awaited<ReturnType<Client["pay"]["start"]>>>().toEqualTypeOf<Handle>();
  expectTypeOf<Parameters<Handle["send"]>[0]>().toEqualTypeOf<"approval">();
  expectTypeOf<Parameters<Handle["send"]>[1]>().toEqualTypeOf<{ approved: boolean }>();
});

test("a tool without waits is what it was, and one with them goes wherever a tool may stand", () => {
  expectTypeOf<Client["plain"]>().toExtend<ToolClient<{ text: string }, string>>();
  expectTypeOf<Client["pay"]>().toExtend<ToolClient<{ order: string }, { paid: Date }>>();
});
