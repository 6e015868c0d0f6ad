const START = 2166136261;
const PRIME = 16777619;

/** A number of 32 bits that tells one text from another, the same everywhere (FNV-1a). */
export function fnv1a(text: string): number {
  let hash = START;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), PRIME);
  return hash >>> 0;
}
