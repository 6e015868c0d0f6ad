import { useCallback, useState } from 'react';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';

/** Announces texts to screen readers: render `region` and call `say`, also with the same text again. */
export function useAnnouncer() {
  const [said, setSaid] = useState({ words: '', count: 0 });
  const say = useCallback((words: string) => setSaid(({ count }) => ({ words, count: count + 1 })), []);
  const region = (
    <VisuallyHidden aria-live="assertive" data-said={said.count}>
      {/* A new element, so that a repeated text is announced. */}
      <span key={said.count}>{said.words}</span>
    </VisuallyHidden>
  );
  return { say, region };
}
