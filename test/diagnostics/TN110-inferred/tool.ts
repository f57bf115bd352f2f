/** @maxLength 20 */
type Email = string;
interface User {
  mail: Email;
}
declare const users: User[];
declare const mails: Email[];
declare function load(): Promise<Email>;

/** Makes lists. @tool */
export const list = (mail: Email, other?: Email) => [
  {
    list: [mail],
    or: other ?? "none",
    either: mail === "" ? "none" : mail,
    mapped: users.map((user) => user.mail),
    kept: mails.filter((one) => one !== ""),
    upper: mails.map((one) => one.toUpperCase()),
    lengths: mails.map((one) => one.length),
    text: `${mail}!`,
    size: mail.length,
  },
];

/** Answers one or the other. @tool */
export async function answer(count: number) {
  if (count === 0) return "none";
  const mail = await load();
  return mail;
}
