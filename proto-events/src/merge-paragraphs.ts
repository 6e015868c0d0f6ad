// Browsers and the meetings service both read this file: what is typed on while an answer is under way is merged there as it was here.

/** A paragraph, or several beside each other, that two people changed: each as they left it. */
export type Both = { theirs: string; yours: string };

type Texts = { base: string; theirs: string; yours: string };

/**
 * Merges two texts that were made out of one, by paragraphs (lines). What one of them changed is so in the result; what both changed in the
 * same place stands there twice, theirs first, unless one has the other's. No line that somebody added is lost, whatever the other did.
 * Merging the same again says nothing twice, but where paragraphs are alike, such as empty ones: who may have to repeat it sends a key.
 */
export function mergeParagraphs({ base, theirs, yours }: Texts): { text: string; both: Both[] } {
  if (theirs === base || theirs === yours) return { text: yours, both: [] };
  if (yours === base) return { text: theirs, both: [] };
  const [from, one, other] = [base, theirs, yours].map(linesOf) as [string[], string[], string[]];
  const [inOne, inOther] = [matches(from, one), matches(from, other)];
  const both: Both[] = [];
  const merged: string[] = [];
  let at = { base: 0, theirs: 0, yours: 0 };
  for (let line = 0; line <= from.length; line += 1) {
    const isEnd = line === from.length;
    const [here, there] = isEnd ? [one.length, other.length] : [inOne[line], inOther[line]];
    if (here === undefined || there === undefined) continue;
    merged.push(
      ...mergePlace(
        {
          base: from.slice(at.base, line),
          theirs: one.slice(at.theirs, here),
          yours: other.slice(at.yours, there),
        },
        both,
      ),
    );
    if (!isEnd) merged.push(from[line] ?? '');
    at = { base: line + 1, theirs: here + 1, yours: there + 1 };
  }
  return { text: merged.join('\n'), both };
}

/** Pairs of lines that are compared: those of two thousand by two thousand. */
const MOST_PAIRS = 4_000_000;

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

type Place = { base: string[]; theirs: string[]; yours: string[] };

/** Between two paragraphs that nobody touched. */
function mergePlace({ base, theirs, yours }: Place, both: Both[]): string[] {
  if (isSame(theirs, base)) return yours;
  if (isSame(yours, base) || holds(theirs, yours)) return theirs;
  if (holds(yours, theirs)) return yours;
  const added = yours.filter((line) => !theirs.includes(line));
  if (added.length > 0) both.push({ theirs: theirs.join('\n'), yours: added.join('\n') });
  return [...theirs, ...added];
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((line, index) => line === other[index]);

/** Whether all the lines of the second stand in the first in their order, and there are some: to have deleted all of them is a change, too. */
function holds(lines: readonly string[], others: readonly string[]): boolean {
  let next = 0;
  for (const line of lines) if (line === others[next]) next += 1;
  return next === others.length;
}

/** For each line of `from` its place in `to`, where it stands there: a longest common subsequence. */
function matches(from: readonly string[], to: readonly string[]): (number | undefined)[] {
  const found: (number | undefined)[] = new Array(from.length).fill(undefined);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) {
    found[start] = start;
    start += 1;
  }
  let [end, toEnd] = [from.length, to.length];
  while (end > start && toEnd > start && from[end - 1] === to[toEnd - 1]) {
    end -= 1;
    toEnd -= 1;
    found[end] = toEnd;
  }
  const width = toEnd - start + 1;
  // Of texts of nothing but line ends: one place, in which both stand.
  if ((end - start) * width > MOST_PAIRS) return found;
  const lengths = new Uint16Array((end - start + 1) * width);
  for (let row = end - start - 1; row >= 0; row -= 1)
    for (let column = toEnd - start - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        from[start + row] === to[start + column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  let [row, column] = [0, 0];
  while (row < end - start && column < toEnd - start) {
    if (from[start + row] === to[start + column]) {
      found[start + row] = start + column;
      row += 1;
      column += 1;
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return found;
}
