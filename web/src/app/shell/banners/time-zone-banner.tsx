import { Suspense, useSyncExternalStore } from 'react';
import { lazyNamed } from '#lib/lazy.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { browserTimeZone } from '#lib/time/time-zone.ts';

const TimeZoneQuestion = lazyNamed(() => import('./time-zone-question.tsx'), 'TimeZoneQuestion');

export function TimeZoneBanner() {
  const { timezone } = useCurrentUser();
  const deviceZone = useSyncExternalStore(onReturn, browserTimeZone);
  // New profiles are in UTC until the first page has saved the browser's zone.
  if (deviceZone === timezone || timezone === 'UTC') return null;
  return (
    <Suspense fallback={null}>
      <TimeZoneQuestion deviceZone={deviceZone} />
    </Suspense>
  );
}

/** The user may have traveled while the page was in the background. */
function onReturn(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
