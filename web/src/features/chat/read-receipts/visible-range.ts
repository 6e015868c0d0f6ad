export type SeqRange = { first: number; last: number };

/** Identifies a message's row in the DOM. */
export const SEQ_ATTRIBUTE = 'data-seq';

/** The first and last visible message of a scroller. A message counts once its end is visible, or once it fills half of the scroller. */
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
  /** The last seq, if the log reaches it. */
  end: number | null;
};

/**
 * The new read position for a visible range: consecutive to the previous one, or the end if it is visible. Null if nothing new is visible
 * or there is a gap.
 */
export function readPosition({ first, last }: SeqRange, { readUntil, end }: Log): number | null {
  if (last <= readUntil) return null;
  const isContiguous = first <= readUntil + 1;
  const isEnd = end !== null && last >= end;
  return isContiguous || isEnd ? last : null;
}
