import { findResponse } from '@atrium/proto-events/responses/responses';
import { QueryCache } from '@atrium/web/lib/query/query-cache';
import type { Figures } from './actions.ts';

/** Counts what live updates saved: responses that were edited instead of requested. */
export class CountingCache extends QueryCache {
  readonly counts: Omit<Figures, 'items'> = { patched: 0, requested: 0, computed: 0 };

  override set show(show: (key: string, data: unknown) => void) {
    super.show = (key, data) => {
      this.counts.patched += 1;
      show(key, data);
    };
  }

  override startRequest(key: string) {
    const kind = findResponse(key)?.definition.kind;
    this.counts[kind === 'list' || kind === 'item' ? 'requested' : 'computed'] += 1;
    return super.startRequest(key);
  }
}
