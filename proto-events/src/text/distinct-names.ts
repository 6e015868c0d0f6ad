import { uniqueKey } from './fold.ts';
import { hasVisibleText, normalizeName } from './normalize.ts';

/**
 * A list of short names, such as tags, as it is stored: each normalized and once, whatever its case and form, in the order of their first
 * places, without those that show nothing.
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
