class Entity {
  id = "";
  save(): void {}
}
class Money extends Entity {
  amount = 0;
  #currency = "EUR";
  private hidden(): void {}
  static zero(): Money {
    return new Money();
  }
  get currency(): string {
    return this.#currency;
  }
  format(): string {
    this.hidden();
    return `${this.amount}`;
  }
}
class Plain {
  a = "";
}

/** @schema urn:example:schema.case.1 */
export interface Request {
  /** With methods. */
  money: Money;
  /** Without. */
  plain: Plain;
}

/** Takes a request. @tool */
export function take(request: Request): Money[] {
  return [request.money];
}
