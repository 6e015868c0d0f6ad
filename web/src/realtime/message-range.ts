import type { Change } from '@atrium/proto-events/realtime';

type Range = { firstSeq: number; lastSeq: number; revision: number };

const toRange = ({ version, from = version, revision = 0 }: Change): Range => ({
  firstSeq: from,
  lastSeq: version,
  revision,
});

/** A change of messages names their conversation in `id` and the last seq in `version`. */
export const messageRangeOf = (change: Change): (Range & { conversation: string }) | null =>
  change.resource === 'message' ? { conversation: change.id, ...toRange(change) } : null;

/** A change of replies names the root of their thread. */
export const replyRangeOf = (change: Change): (Range & { root: string }) | null =>
  change.resource === 'reply' ? { root: change.id, ...toRange(change) } : null;
