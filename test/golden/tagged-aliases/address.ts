/** @pattern ^[0-9]{5}$ */
export type Zip = string;

export interface Address {
  zip: Zip;
}
