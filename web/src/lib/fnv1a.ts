const START = 2166136261;
const PRIME = 16777619;

export function fnv1a(text: string): number {
  let hash = START;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), PRIME);
  return hash >>> 0;
}
