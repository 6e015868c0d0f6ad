import type { Change } from '@atrium/proto-events/realtime';

type MessageRange = { conversation: string; firstSeq: number; lastSeq: number; revision: number };

/** A change of messages names their conversation in `id` and the last seq in `version`. */
export const messageRangeOf = ({ resource, id, version, from = version, revision = 0 }: Change): MessageRange | null =>
  resource === 'message' ? { conversation: id, firstSeq: from, lastSeq: version, revision } : null;
