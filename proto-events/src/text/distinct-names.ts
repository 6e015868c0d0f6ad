import { uniqueKey } from './fold.ts';
import { hasVisibleText, normalizeName } from './normalize.ts';

/**
 * A list of short names, such as tags, as stored: normalized, without case-insensitive duplicates or invisible names,
 * in the order of first occurrence.
 */
export function distinctNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map(normalizeName).filter((name) => {
    const key = uniqueKey(name);
    if (!hasVisibleText(name) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
