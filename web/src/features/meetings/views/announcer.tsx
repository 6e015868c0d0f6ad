import { useCallback, useState } from 'react';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';

/** What screen readers are told of what moves: `region` has to stand on the page, and says what `say` is given, the same again too. */
export function useAnnouncer() {
  const [said, setSaid] = useState({ words: '', count: 0 });
  const say = useCallback((words: string) => setSaid(({ count }) => ({ words, count: count + 1 })), []);
  const region = (
    <VisuallyHidden aria-live="assertive" data-said={said.count}>
      {/* Another element, for words that are the same. */}
      <span key={said.count}>{said.words}</span>
    </VisuallyHidden>
  );
  return { say, region };
}
