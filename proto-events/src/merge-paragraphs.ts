// Shared by browsers and the meetings service, which must merge identically.

/** One or more adjacent paragraphs that two users changed, in both versions. */
export type ParagraphConflict = { theirs: string; yours: string };

type Texts = { base: string; theirs: string; yours: string };

/**
 * Merges two edits of a text by paragraph (line). A change by one side is applied; if both sides changed the same
 * place, the result contains both versions, `theirs` first. No added line is lost. Merging the same edit again changes
 * nothing, unless paragraphs are identical (such as empty ones), so clients that retry send an idempotency key.
 */
export function mergeParagraphs({ base, theirs, yours }: Texts): { text: string; conflicts: ParagraphConflict[] } {
  if (theirs === base || theirs === yours) return { text: yours, conflicts: [] };
  if (yours === base) return { text: theirs, conflicts: [] };
  const baseLines = splitLines(base);
  const theirSide = compareSide(baseLines, theirs);
  const yourSide = compareSide(baseLines, yours);
  const conflicts: ParagraphConflict[] = [];
  const mergedLines: string[] = [];
  let begin = 0;
  for (let line = 0; line <= baseLines.length; line += 1) {
    const isUnchanged = theirSide.positions[line] !== undefined && yourSide.positions[line] !== undefined;
    if (line < baseLines.length && !isUnchanged) continue;
    mergedLines.push(...mergeRange({ baseLines, begin, end: line }, { theirSide, yourSide }, conflicts));
    if (line < baseLines.length) mergedLines.push(baseLines[line] ?? '');
    begin = line + 1;
  }
  return { text: mergedLines.join('\n'), conflicts };
}

/** Maximum line comparisons: two thousand by two thousand. */
const MAX_PAIRS = 4_000_000;

const splitLines = (text: string) => (text === '' ? [] : text.split('\n'));

/**
 * For each base line, its position on a side if it remains; and the lines added before each base line, and at the end.
 */
type Side = { positions: (number | undefined)[]; added: string[][] };

function compareSide(baseLines: readonly string[], text: string): Side {
  const sideLines = splitLines(text);
  const positions = matchLines(baseLines, sideLines);
  const added: string[][] = Array.from({ length: baseLines.length + 1 }, () => []);
  let next = 0;
  let gap = 0;
  for (const [line, position] of positions.entries()) {
    if (position === undefined) continue;
    added[gap] = sideLines.slice(next, position);
    next = position + 1;
    gap = line + 1;
  }
  added[gap] = sideLines.slice(next);
  return { positions, added };
}

type LineRange = { baseLines: readonly string[]; begin: number; end: number };

/** Keeps a line if both sides kept it, and each added line in its position. */
function mergeRange(
  { baseLines, begin, end }: LineRange,
  { theirSide, yourSide }: { theirSide: Side; yourSide: Side },
  conflicts: ParagraphConflict[],
): string[] {
  const theirs = theirSide.added.slice(begin, end + 1).flat();
  const blocks = yourSide.added.slice(begin, end + 1);
  const newBlocks: readonly (readonly string[])[] = containsInOrder(theirs, blocks) ? blocks.map(() => []) : blocks;
  const lines: string[] = [];
  for (let line = begin; line <= end; line += 1) {
    lines.push(...(theirSide.added[line] ?? []), ...(newBlocks[line - begin] ?? []));
    if (line < end && theirSide.positions[line] !== undefined && yourSide.positions[line] !== undefined)
      lines.push(baseLines[line] ?? '');
  }
  const yours = newBlocks.flat();
  const isChangedByBoth = (line: number) =>
    theirSide.positions[line] === undefined && yourSide.positions[line] === undefined;
  const isConflict = Array.from({ length: end - begin }, (_, index) => begin + index).some(isChangedByBoth);
  if (isConflict && theirs.length > 0 && yours.length > 0)
    conflicts.push({ theirs: theirs.join('\n'), yours: yours.join('\n') });
  return lines;
}

/**
 * Whether `lines` contains the blocks in order and contiguously, which means that they were merged before. The lines of
 * a block are not compared individually, since two users may write the same line, each below their own text.
 */
function containsInOrder(lines: readonly string[], blocks: readonly (readonly string[])[]): boolean {
  let next = 0;
  for (const block of blocks) {
    const position = findBlock(lines, block, next);
    if (position === undefined) return false;
    next = position + block.length;
  }
  return true;
}

function findBlock(lines: readonly string[], block: readonly string[], start: number): number | undefined {
  // Bounds the work on text that consists only of line breaks.
  if (lines.length * block.length > MAX_PAIRS) return undefined;
  for (let position = start; position + block.length <= lines.length; position += 1)
    if (block.every((line, index) => line === lines[position + index])) return position;
  return undefined;
}

/** Finds the longest common subsequence: the position of each base line among the lines of a side. */
function matchLines(from: readonly string[], to: readonly string[]): (number | undefined)[] {
  const positions: (number | undefined)[] = new Array(from.length).fill(undefined);
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) {
    positions[start] = start;
    start += 1;
  }
  let end = from.length;
  let toEnd = to.length;
  while (end > start && toEnd > start && from[end - 1] === to[toEnd - 1]) {
    end -= 1;
    toEnd -= 1;
    positions[end] = toEnd;
  }
  const width = toEnd - start + 1;
  // Bounds the work on text that consists only of line breaks.
  if ((end - start) * width > MAX_PAIRS) return positions;
  const lengths = new Uint16Array((end - start + 1) * width);
  for (let row = end - start - 1; row >= 0; row -= 1)
    for (let column = toEnd - start - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        from[start + row] === to[start + column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
  let row = 0;
  let column = 0;
  while (row < end - start && column < toEnd - start) {
    if (from[start + row] === to[start + column]) {
      positions[start + row] = start + column;
      row += 1;
      column += 1;
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) row += 1;
    else column += 1;
  }
  return positions;
}
