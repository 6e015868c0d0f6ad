import { z } from 'zod';

/** What stands as a password in examples, images and manuals. Compared without marks, and without digits at the end. */
const WELL_KNOWN = new Set(
  `abc accesskey admin administrator asdf atrium changeit default demo dummy empty example foobar guest hello insecure key
  letmein master minio minioadmin miniosecret mongo mongodb mypassword mysecret mysecretpassword nats none nopassword null
  operator pass passwd password passwort postgres postgresql qwerty redis root sample secret secretkey sesame smtp
  supersecret supersecretpassword temp test testing todo token undefined user verysecret welcome
  auth chat documents meetings notifications projects users`.split(/\s+/),
);
/** What begins or encloses a place that somebody was to fill in. */
const PLACEHOLDERS = [
  /^(replace|change)[\s_-]?(me|this|it)([^a-z]|$)/,
  /^(your|my|some|example|fill|insert|enter)[\s_-].*(secret|password|passwd|key|token|here)$/,
  /^(<.*>|\$\{.*\}|\{\{.*\}\}|\[.*\])$/,
];

const ERROR = 'is an example or a well-known default, which strangers try first; `npm run secrets` makes one';

const isPlaceholder = (text: string): boolean => PLACEHOLDERS.some((form) => form.test(text.trim().toLowerCase()));

/** Whether a secret stands in examples, or is hardly one. A short one of somebody's own is not. */
export function isWellKnown(secret: string): boolean {
  const text = secret.trim().toLowerCase();
  const word = text.replace(/[^\p{L}\d]/gu, '').replace(/(?<!\d)\d+$/, '');
  return WELL_KNOWN.has(word) || isPlaceholder(text) || isSequence(Buffer.from(text));
}

/** `aaaa`, `1234`, bytes that are all zero, and whatever has fewer than three. */
function isSequence(bytes: Uint8Array): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));
  const [step = 0] = steps;
  return bytes.length < 3 || (steps.size === 1 && (step === 0 || step === 1 || step === 255));
}

/** A secret of so many characters at least. What stands in examples is refused. */
export const secretText = (least = 1) =>
  z
    .string()
    .min(least, `must have at least ${least} characters`)
    .refine((secret) => !isWellKnown(secret), ERROR);

/** What names somebody to a store: any word of one's own, and not the place where one was to stand. */
export const nonPlaceholder = z
  .string()
  .min(1)
  .refine((text) => !isPlaceholder(text), ERROR);

/** A key of 32 bytes in base64url, read into bytes. */
export const keyBytes = z
  .base64url()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((key) => key.byteLength === 32, 'must be 32 bytes in base64url');

/** One that is not a row of equal or consecutive bytes, as examples have them. */
export const secretKey = keyBytes.refine((key) => !isSequence(key), ERROR);

/** The address of a store, and of what else asks for a password: one that it holds is not out of an example. */
export const secretUrl = z
  .string()
  .min(1)
  .refine((url) => !passwordsIn(url).some(isWellKnown), `holds a password that ${ERROR}`);

/** As text: an address of several hosts, as MongoDB has them, is no URL to Node. */
function passwordsIn(url: string): string[] {
  const [, before] = /^[a-z][a-z\d+.-]*:\/\/[^:/?#]*:([^/?#]+)@/i.exec(url) ?? [];
  const [, asked] = /[?&]password=([^&]+)/.exec(url) ?? [];
  return [before, asked].filter((password) => password !== undefined).map(decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
