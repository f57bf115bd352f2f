/** An address for mail. @format email @maxLength 20 */
type Email = string;
interface User {
  /** Where to write to. */
  mail: Email;
  inner: { deep: Email };
}
class Account {
  owner = "a@example.org" as Email;
}
const sender: Email = "a@example.org";
const user: User = { mail: sender, inner: { deep: sender } };
const load = async (): Promise<User> => user;
function makeMail(): Email {
  return sender;
}
function relay(to: Email, count: number): Email {
  return to + count;
}

/** @schema urn:example:schema.inferred.1 */
export interface Request {
  sender: typeof sender;
  user: typeof user;
  field: typeof user.mail;
  indexed: (typeof user)["mail"];
  returned: ReturnType<typeof makeMail>;
  ofType: ReturnType<(n: number) => Email>;
  awaited: Awaited<ReturnType<typeof load>>;
  promised: Awaited<Promise<Email>>;
  parameter: Parameters<typeof relay>[0];
  account: Account;
}

/** Answers with what it was given. @tool */
export const echo = (mail: Email) => mail;

/** Makes a result. @schema urn:example:schema.inferred.make.1 @tool */
export const make = (mail: Email, to = sender) => ({
  mail,
  to,
  user,
  of: user.inner.deep,
  inside: { mail },
  called: makeMail(),
  length: mail.length,
});

/** Waits. @tool */
export async function wait(request: Request) {
  const { mail } = await load();
  void request;
  return mail;
}
