import { useEffect, useState } from 'react';
import { useNow } from '../../lib/hooks/use-now.ts';
import { useTimeReached } from '../../lib/hooks/use-time-reached.ts';
import { useInvalidate } from '../../realtime/use-invalidate.ts';

type Ending = { endTime: string; isPast: boolean };

/** Those who look at one meeting do not all ask in the moment in which it ends. */
const SPREAD_MS = 1_000;

/**
 * Asks again for meetings when the next of those on the screen ends: it belongs to the past then, with other actions, and no event tells
 * so. Once more each minute where the server's clock is behind.
 */
export function useRefreshAsMeetingsEnd(meetings: readonly Ending[] | undefined): void {
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
