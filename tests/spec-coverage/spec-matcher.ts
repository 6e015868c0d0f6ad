import { plain, type Seen } from './coverage-records.ts';
import { placeOf } from './places.ts';
import type { SpecString } from './spec-string.ts';

/** A text of the specification, and where the tests of a run have seen it. */
export type Proof = SpecString & { seenAt: readonly string[] };

/** A longer one may stand within a sentence; a short one is a text of its own. */
const LONG = 25;

function patternOf(text: string): RegExp {
  const pieces = text.split(/\{\w+\}/).map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const words = pieces.join('.{1,60}?');
  return text.length >= LONG ? new RegExp(words) : new RegExp(`^${words}$`);
}

const isAnswer = (at: string): boolean => /^[A-Z]+ \//.test(at);

/** Holds every text against what was seen: on its screen, or in an answer of the API where `fromApi` says that no form lets it come up. */
export function prove(strings: readonly SpecString[], seen: readonly Seen[]): Proof[] {
  return strings.map((entry) => {
    const pattern = patternOf(plain(entry.text));
    const place = placeOf(entry.shown);
    const fits = ({ at }: Seen) => (isAnswer(at) ? entry.fromApi === true : place?.test(at) === true);
    const found = seen.filter((one) => fits(one) && pattern.test(one.text));
    return { ...entry, seenAt: [...new Set(found.map(({ at }) => at))] };
  });
}
