type UserId = string & { readonly __brand: "user" };
declare const order: unique symbol;
type OrderId = string & { readonly [order]: true };
type Positive = number & { __brand: "positive" };
interface User {
  name: string;
}
type DeepPartial<T> = T extends object ? { [K in keyof T]?: DeepPartial<T[K]> } : T;

/** As libraries write them: ts-brand, zod, Effect, type-fest, ArkType, io-ts, flavours, classics. */
type TsBrand<T, B> = T & { readonly __type__: B } & { readonly __witness__: T };
type ZodBrand<T, K extends string> = T & { [order]: { [name in K]: true } };
type Flavour<T, F> = T & { _type?: F };
type Spaced<T, K> = T & { readonly " brand": [T, K] };
type Nominal<T, K extends string> = T & { readonly nominal: K };
interface IntBrand {
  readonly Int: unique symbol;
}
type Classic = string & { __pathBrand: any };
type Nothing = string & { kind?: never };

/** @schema urn:example:schema.brands.1 */
export interface Request {
  id: UserId;
  symbol: OrderId;
  count: Positive;
  list: UserId[];
  date: Date & { readonly __brand: "day" };
  object: User & { readonly __brand: "checked" };
  maybe?: UserId | null;
  keyed: Map<UserId, number>;
  mapped: DeepPartial<{ id: UserId; count: Positive; tag: string }>;
  byWitness: TsBrand<string, "north" | "south">;
  dateByWitness: TsBrand<Date, "day">;
  zod: ZodBrand<string, "email">;
  zodUrl: ZodBrand<URL, "home">;
  flavour: Flavour<number, "metres">;
  spaced: Spaced<string, "word">;
  spacedBytes: Spaced<Uint8Array, "image">;
  nominal: Nominal<string, "sku" | "ean">;
  nominalDate: Nominal<Date, "day">;
  int: number & IntBrand;
  classic: Classic;
  nothing: Nothing;
}

/**
 * Takes brands.
 * @tool
 */
export function take(request: Request): void {
  void request;
}
