import { useCallback, useState } from 'react';
import { VisuallyHidden } from '#ui/visually-hidden.tsx';

/** Announces texts to screen readers: render `region` and call `say`, also with the same text again. */
export function useAnnouncer() {
  const [announcement, setAnnouncement] = useState({ text: '', count: 0 });
  const say = useCallback((text: string) => setAnnouncement(({ count }) => ({ text, count: count + 1 })), []);
  const region = (
    <VisuallyHidden aria-live="assertive" data-announcement={announcement.count}>
      {/* A new element, so that a repeated text is announced. */}
      <span key={announcement.count}>{announcement.text}</span>
    </VisuallyHidden>
  );
  return { say, region };
}
