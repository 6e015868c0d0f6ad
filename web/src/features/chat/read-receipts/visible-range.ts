export type SeqRange = { first: number; last: number };

/** What identifies the row of a message in the document. */
export const SEQ_ATTRIBUTE = 'data-seq';

/**
 * The first and the last message that are visible in a scroller. A message counts once its end is visible, or once it fills half of the
 * scroller, as a long one does.
 */
export function visibleRange(scroller: HTMLElement): SeqRange | null {
  const view = scroller.getBoundingClientRect();
  const middle = view.top + view.height / 2;
  const seqs = [...scroller.querySelectorAll(`[${SEQ_ATTRIBUTE}]`)].flatMap((row) => {
    const { top, bottom, height } = row.getBoundingClientRect();
    const isVisible = height > 0 && bottom > view.top && (bottom <= view.bottom + 1 || top <= middle);
    return isVisible ? [Number(row.getAttribute(SEQ_ATTRIBUTE))] : [];
  });
  return seqs.length === 0 ? null : { first: Math.min(...seqs), last: Math.max(...seqs) };
}

type Log = {
  readUntil: number;
  /** The last seq there is, where the log reaches it. */
  end: number | null;
};

/**
 * Up to where a user has read who sees this range: on from where they were, or all of it once they went to the end. Null where nothing
 * new is visible, or where something between is not.
 */
export function readPosition({ first, last }: SeqRange, { readUntil, end }: Log): number | null {
  if (last <= readUntil) return null;
  const isContiguous = first <= readUntil + 1;
  const isEnd = end !== null && last >= end;
  return isContiguous || isEnd ? last : null;
}
