// Shared by browsers and the meetings service, which must merge identically.

/** One or more adjacent paragraphs that two users changed, in both versions. */
export type ParagraphConflict = { theirs: string; yours: string };

type Texts = { base: string; theirs: string; yours: string };

/**
 * By paragraph (line). A change by one side is applied; if both sides changed the same place, the result
 * contains both, `theirs` first. No added line is lost. Merging the same edit again changes nothing, unless
 * paragraphs are identical (such as empty ones): clients that retry send an idempotency key.
 */
export function mergeParagraphs({ base, theirs, yours }: Texts): { text: string; both: ParagraphConflict[] } {
  if (theirs === base || theirs === yours) return { text: yours, both: [] };
  if (yours === base) return { text: theirs, both: [] };
  const from = linesOf(base);
  const [theirSide, yourSide] = [sideOf(from, theirs), sideOf(from, yours)];
  const both: ParagraphConflict[] = [];
  const merged: string[] = [];
  let begin = 0;
  for (let line = 0; line <= from.length; line += 1) {
    const isUnchanged = theirSide.positions[line] !== undefined && yourSide.positions[line] !== undefined;
    if (line < from.length && !isUnchanged) continue;
    merged.push(...mergeRange({ from, begin, end: line }, { theirSide, yourSide }, both));
    if (line < from.length) merged.push(from[line] ?? '');
    begin = line + 1;
  }
  return { text: merged.join('\n'), both };
}

/** Maximum line comparisons: two thousand by two thousand. */
const MAX_PAIRS = 4_000_000;

const linesOf = (text: string) => (text === '' ? [] : text.split('\n'));

type Side = { positions: (number | undefined)[]; added: string[][] };

function sideOf(from: readonly string[], text: string): Side {
  const to = linesOf(text);
  const positions = matches(from, to);
  const added: string[][] = Array.from({ length: from.length + 1 }, () => []);
  let [next, gap] = [0, 0];
  for (const [line, position] of positions.entries()) {
    if (position === undefined) continue;
    added[gap] = to.slice(next, position);
    next = position + 1;
    gap = line + 1;
  }
  added[gap] = to.slice(next);
  return { positions, added };
}

type LineRange = { from: readonly string[]; begin: number; end: number };

/** A line remains if both sides kept it, and added lines keep their positions. */
function mergeRange(
  { from, begin, end }: LineRange,
  { theirSide, yourSide }: { theirSide: Side; yourSide: Side },
  both: ParagraphConflict[],
): string[] {
  const theirs = theirSide.added.slice(begin, end + 1).flat();
  const blocks = yourSide.added.slice(begin, end + 1);
  const written: readonly (readonly string[])[] = containsInOrder(theirs, blocks) ? blocks.map(() => []) : blocks;
  const lines: string[] = [];
  for (let line = begin; line <= end; line += 1) {
    lines.push(...(theirSide.added[line] ?? []), ...(written[line - begin] ?? []));
    if (line < end && theirSide.positions[line] !== undefined && yourSide.positions[line] !== undefined)
      lines.push(from[line] ?? '');
  }
  const yours = written.flat();
  const isOfBoth = (line: number) => theirSide.positions[line] === undefined && yourSide.positions[line] === undefined;
  const isChanged = Array.from({ length: end - begin }, (_, index) => begin + index).some(isOfBoth);
  if (isChanged && theirs.length > 0 && yours.length > 0)
    both.push({ theirs: theirs.join('\n'), yours: yours.join('\n') });
  return lines;
}

/**
 * Contiguous blocks in order mean that they were merged before. A single line does not count: two users may
 * write the same one, each below their own text.
 */
function containsInOrder(lines: readonly string[], blocks: readonly (readonly string[])[]): boolean {
  let next = 0;
  for (const block of blocks) {
    const found = positionOf(lines, block, next);
    if (found === undefined) return false;
    next = found + block.length;
  }
  return true;
}

function positionOf(lines: readonly string[], block: readonly string[], from: number): number | undefined {
  // Bounds the work on texts of nothing but line breaks.
  if (lines.length * block.length > MAX_PAIRS) return undefined;
  for (let position = from; position + block.length <= lines.length; position += 1)
    if (block.every((line, index) => line === lines[position + index])) return position;
  return undefined;
}

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
  // Bounds the work on texts of nothing but line breaks.
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
