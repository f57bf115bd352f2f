import { BaseEvent } from "tenon";

/** A piece of the answer, as soon as the model has said it. */
export class TokenEvent extends BaseEvent {
  static override readonly SCHEMA: string = "urn:example:schema:chat.token.1";
  readonly text: string;

  constructor(text: string) {
    super();
    this.text = text;
  }
}
