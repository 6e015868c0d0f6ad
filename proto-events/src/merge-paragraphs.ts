// Browsers and the meetings service both read this file: what is typed on while an answer is under way is merged there as it was here.

/** A paragraph, or several beside each other, that two people changed: each as they left it. */
export type ParagraphConflict = { theirs: string; yours: string };

type Texts = { base: string; theirs: string; yours: string };

/**
 * Merges two texts that were made out of one, by paragraphs (lines). What one of them changed is so in the result; what both changed in the
 * same place stands there twice, theirs first. No line that somebody added is lost, whatever the other did.
 * Merging the same again says nothing twice, but where paragraphs are alike, such as empty ones: who may have to repeat it sends a key.
 */
export function mergeParagraphs({ base, theirs, yours }: Texts): { text: string; both: ParagraphConflict[] } {
  if (theirs === base || theirs === yours) return { text: yours, both: [] };
  if (yours === base) return { text: theirs, both: [] };
  const from = linesOf(base);
  const [one, other] = [sideOf(from, theirs), sideOf(from, yours)];
  const both: ParagraphConflict[] = [];
  const merged: string[] = [];
  let begin = 0;
  // From one paragraph that nobody touched to the next.
  for (let line = 0; line <= from.length; line += 1) {
    const isKept = one.places[line] !== undefined && other.places[line] !== undefined;
    if (line < from.length && !isKept) continue;
    merged.push(...mergePlace({ from, begin, end: line }, { one, other }, both));
    if (line < from.length) merged.push(from[line] ?? '');
    begin = line + 1;
  }
  return { text: merged.join('\n'), both };
}

/** Pairs of lines that are compared: those of two thousand by two thousand. */
const MAX_PAIRS = 4_000_000;

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

/** What one made of the base: where each of its lines stands now, and before which of them each new line was written. */
type Side = { places: (number | undefined)[]; added: string[][] };

function sideOf(from: readonly string[], text: string): Side {
  const to = linesOf(text);
  const places = matches(from, to);
  const added: string[][] = Array.from({ length: from.length + 1 }, () => []);
  let [next, gap] = [0, 0];
  for (const [line, place] of places.entries()) {
    if (place === undefined) continue;
    added[gap] = to.slice(next, place);
    next = place + 1;
    gap = line + 1;
  }
  added[gap] = to.slice(next);
  return { places, added };
}

type Place = { from: readonly string[]; begin: number; end: number };

/** Between two paragraphs that nobody touched: a line stays that both left as it was, and all that was written comes in where it was. */
function mergePlace(
  { from, begin, end }: Place,
  { one, other }: { one: Side; other: Side },
  both: ParagraphConflict[],
): string[] {
  const theirs = one.added.slice(begin, end + 1).flat();
  const blocks = other.added.slice(begin, end + 1);
  const written: readonly (readonly string[])[] = containsInOrder(theirs, blocks) ? blocks.map(() => []) : blocks;
  const lines: string[] = [];
  for (let line = begin; line <= end; line += 1) {
    lines.push(...(one.added[line] ?? []), ...(written[line - begin] ?? []));
    if (line < end && one.places[line] !== undefined && other.places[line] !== undefined) lines.push(from[line] ?? '');
  }
  const yours = written.flat();
  const isOfBoth = (line: number) => one.places[line] === undefined && other.places[line] === undefined;
  const isChanged = Array.from({ length: end - begin }, (_, index) => begin + index).some(isOfBoth);
  if (isChanged && theirs.length > 0 && yours.length > 0)
    both.push({ theirs: theirs.join('\n'), yours: yours.join('\n') });
  return lines;
}

/**
 * Whether all that was written in a place stands there already, each block in one piece and one after the other: it was merged before. A
 * line alone says nothing: two people may write the same one, each below words of their own.
 */
function containsInOrder(lines: readonly string[], blocks: readonly (readonly string[])[]): boolean {
  let next = 0;
  for (const block of blocks) {
    const found = placeOf(lines, block, next);
    if (found === undefined) return false;
    next = found + block.length;
  }
  return true;
}

function placeOf(lines: readonly string[], block: readonly string[], from: number): number | undefined {
  // Nor are texts of nothing but line ends compared here.
  if (lines.length * block.length > MAX_PAIRS) return undefined;
  for (let place = from; place + block.length <= lines.length; place += 1)
    if (block.every((line, index) => line === lines[place + index])) return place;
  return undefined;
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
  if ((end - start) * width > MAX_PAIRS) return found;
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
