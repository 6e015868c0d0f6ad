import { useEffect, useState } from 'react';
import { useNow } from '#lib/hooks/use-now.ts';
import { useTimeReached } from '#lib/hooks/use-time-reached.ts';
import { useInvalidate } from '#realtime/use-invalidate.ts';

type Ending = { endTime: string; isPast: boolean };

/** Spreads the requests of all clients that show the same meeting. */
const SPREAD_MS = 1_000;

/**
 * Refetches when the next visible meeting ends, because no event reports that. Retries every minute in case the server's clock is behind.
 */
export function useRefetchOnMeetingEnd(meetings: readonly Ending[] | undefined): void {
  const [late] = useState(() => Math.random() * SPREAD_MS);
  const refresh = useInvalidate();
  const ends = (meetings ?? []).filter(({ isPast }) => !isPast).map(({ endTime }) => Date.parse(endTime));
  const next = ends.length > 0 ? ends.reduce((one, other) => Math.min(one, other)) + late : undefined;
  const hasEnded = useTimeReached(next);
  const minute = useNow();
  const noticedAt = hasEnded ? `${next} ${minute}` : undefined;
  useEffect(() => {
    if (noticedAt !== undefined) refresh('/meetings');
  }, [noticedAt, refresh]);
}
