import type { SeededRandom } from './seeded-random.ts';

const toList = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The most frequent words first. In a natural language, a few words are in nearly every text. */
const FREQUENT_WORDS = toList(`
  the and for that with this from are was have will not you our all can has been more when which their there they than other one about into
  after before each between must should also only over same such these those two week month year report team project plan work order budget
  customer contract meeting review result date time next last new first open due cost price part note list number page table figure`);
const BEGINNINGS = toList(
  'con pro com re in de dis ex per pre un sub inter trans over under out en ad al an ar be ca de di el fi fo ge ha im la le ma me mi mo na no op pa po ra ro sa se si so sta str ta te tra tri va ve vi wa we wi',
);
const MIDDLES = toList(
  'a e i o u ta te ti to la le li lo ra re ri ro na ne ni no ma me mi mo ca ce ci co da de di do sta ver man port form duct',
);
const ENDINGS = toList('tion ment ing ed er al ity ness able ance ive ous ly en es et or um ist ure age ant ic on');
const VOCABULARY_SIZE = 20_000;

/** Creates text with the word frequencies of a natural language (Zipf). */
export function createWriter(random: SeededRandom): { word(): string; text(length: number): string } {
  const words = new Set(FREQUENT_WORDS);
  while (words.size < VOCABULARY_SIZE) {
    const middle = Array.from({ length: random.integerBelow(3) }, () => random.pick(MIDDLES)).join('');
    words.add(random.pick(BEGINNINGS, 1.4) + middle + random.pick(ENDINGS, 1.3));
  }
  const ranked = [...words];
  // The logarithm of a word's rank is uniformly distributed.
  const word = () => ranked[Math.floor(VOCABULARY_SIZE ** (random.integerBelow(1 << 24) / (1 << 24)))] ?? 'the';
  const sentence = () => {
    const line = Array.from({ length: 5 + random.integerBelow(16) }, word).join(' ');
    return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
  };
  return {
    word,
    text(length) {
      const sentences: string[] = [];
      for (let remaining = length; remaining > 0; remaining -= 13)
        sentences.push(sentence() + (random.nextBoolean(0.2) ? '\n' : ' '));
      return sentences.join('').trim();
    },
  };
}
