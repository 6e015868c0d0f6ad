import { createSeededRandom, type SeededRandom } from '@atrium/tools/seed/seeded-random';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MAX_TRIES = 10_000;

/**
 * Search terms that were not used before: prefixes and parts of words, phrases, and occasionally strings without matches. Each has three
 * letters or digits in a row.
 */
export function createSearchTerms(texts: readonly string[]): () => string {
  const random = createSeededRandom(texts.length);
  const used = new Set<string>();
  return () => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const word = random.happens(0.1) ? nonsense(random) : partOf(random.one(texts), random);
      if (used.has(word) || !/[\p{L}\p{N}]{3}/u.test(word)) continue;
      used.add(word);
      return word;
    }
    throw new Error('No unused search terms left');
  };
}

const nonsense = (random: SeededRandom) =>
  Array.from({ length: 3 + random.whole(6) }, () => random.one([...LETTERS])).join('');

function partOf(text: string, random: SeededRandom): string {
  const words = text.toLowerCase().split(/\s+/);
  const first = random.whole(words.length);
  const inRow = words.slice(first, first + random.one([1, 1, 1, 2, 3])).join(' ');
  const start = random.happens(0.2) ? random.whole(3) : 0;
  return inRow.slice(start, start + 3 + random.whole(15)).trim();
}
