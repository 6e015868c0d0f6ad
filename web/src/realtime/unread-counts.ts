import type { ResponseOf } from '@atrium/proto-events/endpoint';
import type { getUnread } from '@atrium/proto-events/http/chat';

export type UnreadResponse = ResponseOf<typeof getUnread>;

/**
 * A message was `received` from others or `sent` by the user; it was `read` on any device according to the server, or
 * `seen` on this screen and not yet acknowledged; or the conversation was `removed` because it was deleted or left.
 */
export type UnreadUpdate =
  | { kind: 'received' | 'sent' | 'read' | 'seen'; conversation: string; seq: number }
  | { kind: 'removed'; conversation: string };

type Count = { count: number; lastSeq: number };

export type UnreadCounts = {
  counts: ReadonlyMap<string, Count>;
  /** Unread messages of conversations that the response does not list. */
  unlistedCount: number;
  knownSeqs: ReadonlyMap<string, number>;
  /** The first seq received of a conversation that no response has listed. */
  firstSeqs: ReadonlyMap<string, number>;
  /** Messages that neither a response nor an event has delivered, while later ones have arrived. */
  gaps: readonly { conversation: string; seq: number }[];
  read: ReadonlyMap<string, number>;
  unacknowledged: ReadonlyMap<string, number>;
  sinceRequest: readonly UnreadUpdate[];
  requestsInFlight: number;
  isUncertain: boolean;
};

export const NOTHING_UNREAD: UnreadCounts = {
  counts: new Map(),
  unlistedCount: 0,
  knownSeqs: new Map(),
  firstSeqs: new Map(),
  gaps: [],
  read: new Map(),
  unacknowledged: new Map(),
  sinceRequest: [],
  requestsInFlight: 0,
  isUncertain: false,
};

/** A longer gap is not awaited but refetched. */
const MAX_GAP = 20;

export const totalUnread = ({ counts, unlistedCount }: UnreadCounts): number =>
  [...counts.values()].reduce((total, { count }) => total + count, unlistedCount);

export const isMessageKnown = (state: UnreadCounts, conversation: string, seq: number): boolean =>
  isSeqKnown(state, conversation, seq) && (state.firstSeqs.get(conversation) ?? 0) <= seq;

const isSeqKnown = ({ knownSeqs }: UnreadCounts, conversation: string, seq: number): boolean =>
  (knownSeqs.get(conversation) ?? 0) >= seq;

export function applyUpdate(state: UnreadCounts, update: UnreadUpdate): UnreadCounts {
  const isMessage = update.kind === 'received' || update.kind === 'sent';
  if (isMessage && isSeqKnown(state, update.conversation, update.seq))
    return isOutOfOrder(state, update) ? applyLateMessage(state, update) : state;
  const isEcho =
    (update.kind === 'read' || update.kind === 'seen') && readUpTo(state, update.conversation) >= update.seq;
  const nextState = trackSeen(applyToCounts(state, update, isEcho), update);
  const missingMessages = isMessage ? findMissingBefore(state, update) : [];
  const isGapTooLong = missingMessages.length > MAX_GAP;
  return {
    ...nextState,
    isUncertain: nextState.isUncertain || isGapTooLong,
    gaps: isGapTooLong || missingMessages.length === 0 ? state.gaps : [...state.gaps, ...missingMessages],
    knownSeqs: isMessage ? new Map(state.knownSeqs).set(update.conversation, update.seq) : state.knownSeqs,
    firstSeqs:
      isMessage && !state.knownSeqs.has(update.conversation)
        ? new Map(state.firstSeqs).set(update.conversation, update.seq)
        : state.firstSeqs,
    sinceRequest: state.requestsInFlight > 0 ? [...state.sinceRequest, update] : state.sinceRequest,
  };
}

export const startRequest = (state: UnreadCounts): UnreadCounts => ({
  ...state,
  requestsInFlight: state.requestsInFlight + 1,
});

/** Applies a response (null if it failed) whose request started when `sinceRequest` held `from` updates. */
export function applyResponse(state: UnreadCounts, from: number, response: UnreadResponse | null): UnreadCounts {
  const requestsInFlight = state.requestsInFlight - 1;
  const base = { ...state, requestsInFlight, sinceRequest: requestsInFlight > 0 ? state.sinceRequest : [] };
  if (response === null) return base;
  const listed = response.unread.map(({ conversation, count, lastSeq }): [string, Count] => [
    conversation,
    { count, lastSeq },
  ]);
  const lastSeqs = new Map(listed.map(([id, { lastSeq }]) => [id, lastSeq]));
  const knownSeqs = new Map(state.knownSeqs);
  for (const [id, { lastSeq }] of listed) knownSeqs.set(id, Math.max(lastSeq, knownSeqs.get(id) ?? 0));
  const updatesSinceRequest = state.sinceRequest.slice(from);
  const isListed = (id: string) => listed.some(([listedId]) => listedId === id);
  const seenUpTo = (id: string) => state.unacknowledged.get(id) ?? 0;
  const nextState = {
    ...base,
    knownSeqs,
    firstSeqs: new Map(
      [...state.firstSeqs].filter(
        ([id]) => !isListed(id) && updatesSinceRequest.some(({ conversation }) => conversation === id),
      ),
    ),
    // Unlisted conversations are read.
    gaps: state.gaps.filter(({ conversation, seq }) => seq > (lastSeqs.get(conversation) ?? Number.POSITIVE_INFINITY)),
    counts: new Map(listed.filter(([id, { lastSeq }]) => lastSeq > seenUpTo(id))),
    unlistedCount: response.total - listed.reduce((sum, [, { count }]) => sum + count, 0),
    // The count may include messages seen before the last one; it is requested again when the server confirms the read.
    isUncertain: listed.some(([id, { lastSeq }]) => seenUpTo(id) > 0 && lastSeq > seenUpTo(id)),
    // A lost read is disregarded after one response.
    unacknowledged: new Map([...state.unacknowledged].filter(([id]) => !isListed(id))),
  };
  return updatesSinceRequest.reduce((counts: UnreadCounts, update) => applyToCounts(counts, update), nextState);
}

function trackSeen(state: UnreadCounts, update: UnreadUpdate): UnreadCounts {
  if (update.kind === 'seen') {
    const seq = Math.max(update.seq, state.unacknowledged.get(update.conversation) ?? 0);
    return { ...state, unacknowledged: new Map(state.unacknowledged).set(update.conversation, seq) };
  }
  if (
    update.kind !== 'read' ||
    (state.unacknowledged.get(update.conversation) ?? Number.POSITIVE_INFINITY) > update.seq
  )
    return state;
  const unacknowledged = new Map(state.unacknowledged);
  unacknowledged.delete(update.conversation);
  return { ...state, unacknowledged };
}

export const conflictsWith = ({ unacknowledged }: UnreadCounts, { unread }: UnreadResponse): boolean =>
  unread.some(({ conversation }) => unacknowledged.has(conversation));

const readUpTo = ({ read }: UnreadCounts, conversation: string) => read.get(conversation) ?? 0;

/** Applies an out-of-order message. One that fills a known gap counts; otherwise a response may already include it. */
function applyLateMessage(
  state: UnreadCounts,
  { kind, conversation, seq }: UnreadUpdate & { seq: number },
): UnreadCounts {
  const gaps = state.gaps.filter((gap) => gap.conversation !== conversation || gap.seq !== seq);
  const existing = state.counts.get(conversation);
  const isCountable = gaps.length < state.gaps.length && state.requestsInFlight === 0 && (kind === 'sent' || existing);
  if (!isCountable) return { ...state, isUncertain: true };
  if (kind === 'sent' || !existing || readUpTo(state, conversation) >= seq) return { ...state, gaps };
  const counts = new Map(state.counts).set(conversation, { ...existing, count: existing.count + 1 });
  return { ...state, gaps, counts };
}

export const hasGaps = ({ gaps }: UnreadCounts): boolean => gaps.length > 0;

function findMissingBefore({ knownSeqs }: UnreadCounts, { conversation, seq }: { conversation: string; seq: number }) {
  const count = seq - (knownSeqs.get(conversation) ?? seq) - 1;
  return Array.from({ length: Math.min(Math.max(0, count), MAX_GAP + 1) }, (_, index) => ({
    conversation,
    seq: seq - 1 - index,
  }));
}

const isOutOfOrder = (
  { knownSeqs }: UnreadCounts,
  { conversation, seq }: { conversation: string; seq: number },
): boolean => seq < (knownSeqs.get(conversation) ?? 0);

/** `isEcho` means that the read position is already known, so that only an outdated response can have reset it. */
function applyToCounts(state: UnreadCounts, update: UnreadUpdate, isEcho = false): UnreadCounts {
  const { conversation } = update;
  const existing = state.counts.get(conversation);
  switch (update.kind) {
    case 'sent':
      return state;
    case 'received': {
      if (readUpTo(state, conversation) >= update.seq || (existing && existing.lastSeq >= update.seq)) return state;
      const next = { count: (existing?.count ?? 0) + 1, lastSeq: update.seq };
      const isUncertain = state.isUncertain || (!existing && state.unlistedCount > 0);
      return { ...state, counts: new Map(state.counts).set(conversation, next), isUncertain };
    }
    case 'read':
    case 'seen': {
      const read = new Map(state.read).set(conversation, Math.max(update.seq, readUpTo(state, conversation)));
      if (existing && update.seq >= existing.lastSeq) return { ...removeCount(state, conversation), read };
      if (isEcho) return state;
      // Only the server knows how many of the newer messages are the user's own, or where the unlisted ones are.
      return { ...state, read, isUncertain: state.isUncertain || existing !== undefined || state.unlistedCount > 0 };
    }
    case 'removed':
      return { ...removeCount(state, conversation), isUncertain: state.isUncertain || state.unlistedCount > 0 };
  }
}

function removeCount(state: UnreadCounts, conversation: string): UnreadCounts {
  const counts = new Map(state.counts);
  counts.delete(conversation);
  return { ...state, counts };
}
