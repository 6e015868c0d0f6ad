import type { EventOf } from '@atrium/proto-events/event';
import { feedCreated } from '@atrium/proto-events/events/meeting-feeds';
import { recordedReaction } from '../activity/recorded-reaction.ts';
import type { Deps } from '../deps.ts';
import { aboutUser, sendSecurityEmail, wasEmailedWithin } from './on-account-changed.ts';

/** Links replaced within this window are reported by one email. */
const COALESCE_MS = 10 * 60_000;

async function sendFeedCreated(deps: Deps, event: EventOf<typeof feedCreated>): Promise<void> {
  const { userId, at } = event.data;
  const earlier = { id: event.id, userId, at, template: 'feed-created' as const, withinMs: COALESCE_MS };
  if (await wasEmailedWithin(deps.store, earlier)) return;
  const content = { template: 'feed-created' as const, at };
  await sendSecurityEmail(deps, event, { userId, kind: 'security', about: userId, content });
}

export const feedReactions = (deps: Deps) => [
  recordedReaction(deps, feedCreated, { about: aboutUser, effect: sendFeedCreated }),
];
