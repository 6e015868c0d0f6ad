import { type Chance, createSeededRandom } from '@atrium/tools/seed/seeded-random';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const MOST_TRIES = 10_000;

/**
 * What people type and nobody has searched for yet: the beginning of a word that stands somewhere in these texts, a part of one, or some
 * words in a row; now and then what stands nowhere. Each has three letters or digits in a row.
 */
export function createColdWords(texts: readonly string[]): () => string {
  const chance = createSeededRandom(texts.length);
  const asked = new Set<string>();
  return () => {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const word = chance.happens(0.1) ? nonsense(chance) : partOf(chance.one(texts), chance);
      if (asked.has(word) || !/[\p{L}\p{N}]{3}/u.test(word)) continue;
      asked.add(word);
      return word;
    }
    throw new Error('everything has been searched for');
  };
}

const nonsense = (chance: Chance) =>
  Array.from({ length: 3 + chance.whole(6) }, () => chance.one([...LETTERS])).join('');

function partOf(text: string, chance: Chance): string {
  const words = text.toLowerCase().split(/\s+/);
  const first = chance.whole(words.length);
  const inRow = words.slice(first, first + chance.one([1, 1, 1, 2, 3])).join(' ');
  const start = chance.happens(0.2) ? chance.whole(3) : 0;
  return inRow.slice(start, start + 3 + chance.whole(15)).trim();
}
