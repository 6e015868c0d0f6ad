import { screenPatternOf } from './screen-patterns.ts';
import { plain, type Seen } from './seen-texts.ts';
import type { SpecString } from './spec-string.ts';

/** A text of the specification, and where the tests of a run have seen it. */
export type TextMatch = SpecString & { seenAt: readonly string[] };

/** A text of this length may be part of a sentence; a shorter one must be a text of its own. */
const MIN_PARTIAL_LENGTH = 25;

function patternOf(text: string): RegExp {
  const parts = text.split(/\{\w+\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const source = parts.join('.{1,60}?');
  return text.length >= MIN_PARTIAL_LENGTH ? new RegExp(source) : new RegExp(`^${source}$`);
}

const isApiResponse = (at: string): boolean => /^[A-Z]+ \//.test(at);

/** Matches every text against what was seen: on its screen, or in an API response if `fromApi` marks that no form can show it. */
export function matchTexts(strings: readonly SpecString[], seen: readonly Seen[]): TextMatch[] {
  return strings.map((entry) => {
    const pattern = patternOf(plain(entry.text));
    const place = screenPatternOf(entry.shown);
    const isExpectedPlace = ({ at }: Seen) => (isApiResponse(at) ? entry.fromApi === true : place?.test(at) === true);
    const found = seen.filter((item) => isExpectedPlace(item) && pattern.test(item.text));
    return { ...entry, seenAt: [...new Set(found.map(({ at }) => at))] };
  });
}
