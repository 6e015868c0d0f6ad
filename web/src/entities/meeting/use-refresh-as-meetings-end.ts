import { useEffect } from 'react';
import { useNow } from '../../lib/use-now.ts';
import { useRefresh } from '../../realtime/use-refresh.ts';

type Ending = { endTime: string; isPast: boolean };

/**
 * Asks again for meetings when one of those on the screen has ended by now: it belongs to the past then, with other actions, and no
 * event tells so. Once more each minute where the server's clock is behind.
 */
export function useRefreshAsMeetingsEnd(meetings: readonly Ending[] | undefined): void {
  const now = useNow();
  const refresh = useRefresh();
  const hasEnded = meetings?.some(({ isPast, endTime }) => !isPast && Date.parse(endTime) <= now);
  const noticedAt = hasEnded ? now : undefined;
  useEffect(() => {
    if (noticedAt !== undefined) refresh('/meetings');
  }, [noticedAt, refresh]);
}
