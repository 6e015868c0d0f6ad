import type { EventOf } from '@atrium/proto-events/event';
import { feedCreated } from '@atrium/proto-events/events/meeting-feeds';
import { recordedReaction } from '../activity/react.ts';
import type { Deps } from '../deps.ts';
import { aboutUser, mailOwner, wasMailedBefore } from './on-account-changed.ts';

/** A link that is replaced several times within this time is one email. */
const TOGETHER_MS = 10 * 60_000;

async function mailFeedCreated(deps: Deps, event: EventOf<typeof feedCreated>): Promise<void> {
  const { userId, at } = event.data;
  const earlier = { id: event.id, userId, at, template: 'feed-created' as const, withinMs: TOGETHER_MS };
  if (await wasMailedBefore(deps.store, earlier)) return;
  const content = { template: 'feed-created' as const, at };
  await mailOwner(deps, event, { userId, kind: 'security', about: userId, content });
}

export const feedReactions = (deps: Deps) => [
  recordedReaction(deps, feedCreated, { about: aboutUser, effect: mailFeedCreated }),
];
