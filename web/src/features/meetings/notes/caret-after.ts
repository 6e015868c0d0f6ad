/** Maps a caret position to a text that others edited around it. */
export function caretAfter(before: string, after: string, caret: number): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  if (caret <= start) return caret;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const fromEnd = before.length - caret;
  return fromEnd <= end ? after.length - fromEnd : Math.min(caret, after.length);
}
