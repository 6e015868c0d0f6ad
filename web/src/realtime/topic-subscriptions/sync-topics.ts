import type { LiveClientEvents, ReplayedChange, Topic } from '@atrium/proto-events/realtime';

type Answer = Parameters<Parameters<LiveClientEvents['subscribe']>[1]>[0];

type Given = {
  /** What is shown, now. */
  topics: () => Topic[];
  isConnected: () => boolean;
  /** Since when something is shown or on its way, in milliseconds: who has been told nothing yet may have missed what came since. */
  shownForMs: () => number;
  /** Sends `watch`; rejects where no answer comes. */
  send: (payload: { topics: Topic[]; afterPosition?: string; maxAgeMs?: number }) => Promise<Answer>;
  /** Takes what was told of it before, with the pace at which to ask; null where nobody knows, and all of it has to be asked for. */
  catchUp: (changes: ReplayedChange[] | null, news: { minRefetchIntervalMs?: number }) => void;
};

export type TopicWatch = {
  /** What is shown may have changed. */
  syncNow: () => void;
  /** A new connection, which has been told nothing yet. */
  resubscribe: () => void;
  /** Everything that was told up to there has come. */
  setPosition: (position: string | undefined) => void;
  stop: () => void;
};

/** How long the server may take to connect or to answer, in milliseconds. */
export const TIMEOUT_MS = 10_000;
/** Going from one screen to another takes one away and shows the next. */
const SETTLE_MS = 50;
/** What was fresh and is not any more need not be told of. */
const LOOK_AGAIN_MS = 60_000;
const AGAIN_MS = 5_000;

/**
 * Tells the server what is shown, one question at a time. Each answer has what was told of it since the position that was reached, so that
 * nothing is lost between the answer that a screen shows and the moment from which the socket is told of it, nor while there was none.
 */
export function watchTopics({ topics, isConnected, shownForMs, send, catchUp }: Given): TopicWatch {
  let position: string | undefined;
  /** Where everything was told of what was shown then, while what is shown now has not been said: later news are of the former alone. */
  let behind: string | undefined;
  let said: string | undefined;
  let isStopped = false;
  let connection = 0;
  let isAsking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(tell, ms);
  };
  const tell = async () => {
    later(LOOK_AGAIN_MS);
    const wanted = topics();
    const name = wanted.join();
    if (isAsking || !isConnected()) return;
    if (name === said) {
      behind = undefined;
      return;
    }
    isAsking = true;
    const asked = connection;
    const since = behind ?? position;
    behind = undefined;
    const answer = await send({
      topics: wanted,
      ...(since === undefined ? { maxAgeMs: shownForMs() } : { afterPosition: since }),
    }).catch(() => null);
    isAsking = false;
    if (isStopped) return;
    // What another connection said is nothing that this one knows. One that is refused for now is said again.
    if (asked !== connection || !answer?.ok) {
      behind = since;
      if (asked !== connection) void tell();
      else later(AGAIN_MS);
      return;
    }
    said = name;
    const { changes, ...news } = answer.data;
    position = news.position;
    catchUp(changes, news);
    later(topics().join() === said ? LOOK_AGAIN_MS : SETTLE_MS);
  };
  return {
    syncNow() {
      behind ??= position;
      later(SETTLE_MS);
    },
    resubscribe() {
      connection += 1;
      said = undefined;
      behind ??= position;
      void tell();
    },
    setPosition(next) {
      // Before the first answer nobody knows what came until then: a position would leave it out.
      if (position !== undefined) position = next ?? position;
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
