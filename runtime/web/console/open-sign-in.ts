/** The script for signing in at the authorisation server, which is added to the console's if callers need a token. */
import { leaveToSignIn, returnFromSignIn } from "./sign-in/authorise.ts";
import { signingInKey, type SigningIn } from "./sign-in/token-source.ts";

const signingIn: SigningIn = {
  leave: (source, drafts) => leaveToSignIn(source, drafts, document.getElementById("root")?.dataset["client"] ?? ""),
  back: returnFromSignIn,
};
Reflect.set(globalThis, signingInKey, signingIn);
