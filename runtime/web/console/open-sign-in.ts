/** The script beside the console's where callers need a token: signing in at the authorisation server. */
import { leaveToSignIn, returnFromSignIn } from "./sign-in/authorise.ts";
import { signingInKey } from "./sign-in/signing-in.ts";
import type { SigningIn } from "./sign-in/signing-in.ts";

const signingIn: SigningIn = {
  leave: (source) => leaveToSignIn(source, document.getElementById("root")?.dataset["client"] ?? ""),
  back: returnFromSignIn,
};
Reflect.set(globalThis, signingInKey, signingIn);
