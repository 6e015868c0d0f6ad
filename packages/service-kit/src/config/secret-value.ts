import { z } from 'zod';

/** Well-known passwords, compared without punctuation and trailing digits. */
const WELL_KNOWN = new Set(
  `abc accesskey admin administrator asdf atrium changeit default demo dummy empty example foobar guest hello insecure key
  letmein master minio minioadmin miniosecret mongo mongodb mypassword mysecret mysecretpassword nats none nopassword null
  operator pass passwd password passwort postgres postgresql qwerty redis root sample secret secretkey sesame smtp
  supersecret supersecretpassword temp test testing todo token undefined user verysecret welcome
  auth chat documents meetings notifications projects users`.split(/\s+/),
);
const PLACEHOLDERS = [
  /^(replace|change)[\s_-]?(me|this|it)([^a-z]|$)/,
  /^(your|my|some|example|fill|insert|enter)[\s_-].*(secret|password|passwd|key|token|here)$/,
  /^(<.*>|\$\{.*\}|\{\{.*\}\}|\[.*\])$/,
];

const EXAMPLE_ERROR = 'is an example or a well-known default, which strangers try first; `npm run secrets` makes one';

const isPlaceholder = (text: string): boolean => PLACEHOLDERS.some((form) => form.test(text.trim().toLowerCase()));

function isWellKnown(secret: string): boolean {
  const text = secret.trim().toLowerCase();
  const word = text.replace(/[^\p{L}\d]/gu, '').replace(/(?<!\d)\d+$/, '');
  return WELL_KNOWN.has(word) || isPlaceholder(text) || isSequence(Buffer.from(text));
}

function isSequence(bytes: Uint8Array): boolean {
  const steps = new Set(bytes.subarray(1).map((byte, index) => byte - (bytes[index] ?? 0)));
  const [step = 0] = steps;
  return bytes.length < 3 || (steps.size === 1 && (step === 0 || step === 1 || step === 255));
}

export const secretText = (minLength = 1) =>
  z
    .string()
    .min(minLength, `must have at least ${minLength} characters`)
    .refine((secret) => !isWellKnown(secret), EXAMPLE_ERROR);

export const nonPlaceholder = z
  .string()
  .min(1)
  .refine((text) => !isPlaceholder(text), EXAMPLE_ERROR);

/** A key of 32 bytes in base64url, decoded. */
export const keyBytes = z
  .base64url()
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64url')))
  .refine((key) => key.byteLength === 32, 'must be 32 bytes in base64url');

/** A key whose bytes are neither all equal nor consecutive, unlike those of examples. */
export const secretKey = keyBytes.refine((key) => !isSequence(key), EXAMPLE_ERROR);

export const secretUrl = z
  .string()
  .min(1)
  .refine((url) => !findPasswords(url).some(isWellKnown), `holds a password that ${EXAMPLE_ERROR}`);

/** Finds passwords by text, since Node rejects URLs with several hosts, such as MongoDB's. */
function findPasswords(url: string): string[] {
  const [, userInfoPassword] = /^[a-z][a-z\d+.-]*:\/\/[^:/?#]*:([^/?#]+)@/i.exec(url) ?? [];
  const [, queryPassword] = /[?&]password=([^&]+)/.exec(url) ?? [];
  return [userInfoPassword, queryPassword].filter((password) => password !== undefined).map(decode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
