type Sent = { seq: number; repeated: boolean };

/** Lets what one pod sends in a conversation leave in the order of its seqs. */
export type SeqOrder = {
  /**
   * Sends, and tells of it in its turn: now and then the database's answer to whoever sent second arrives first, and that waits for what
   * was under way beside it, as that may have the lower seq. Resolves once it was told, so that no edit comes before its message. What was
   * there already is told to nobody.
   */
  send<T extends Sent>(
    conversationId: string,
    work: () => Promise<T | undefined>,
    tell: (sent: T) => void,
  ): Promise<T | undefined>;
};

type Waiting = { seq: number; barrier: number; tell: () => void };
type Line = { underWay: Set<number>; waiting: Waiting[]; last: number };

export function createSeqOrder(): SeqOrder {
  const lines = new Map<string, Line>();
  let tickets = 0;
  const advance = (conversationId: string, line: Line) => {
    for (let first = line.waiting[0]; first && mayGo(line, first); first = line.waiting[0]) {
      line.waiting.shift();
      line.last = first.seq;
      first.tell();
    }
    if (line.underWay.size + line.waiting.length === 0) lines.delete(conversationId);
  };
  return {
    async send<T extends Sent>(conversationId: string, work: () => Promise<T | undefined>, tell: (sent: T) => void) {
      const line = lines.get(conversationId) ?? { underWay: new Set(), waiting: [], last: 0 };
      lines.set(conversationId, line);
      const ticket = ++tickets;
      line.underWay.add(ticket);
      let sent: T | undefined;
      try {
        sent = await work();
        if (!sent || sent.repeated) return sent;
      } finally {
        line.underWay.delete(ticket);
        if (!sent || sent.repeated) advance(conversationId, line);
      }
      const news = sent;
      await new Promise<void>((told) => {
        const tellNow = () => {
          tell(news);
          told();
        };
        line.waiting.push({ seq: news.seq, barrier: tickets, tell: tellNow });
        line.waiting.sort((a, b) => a.seq - b.seq);
        advance(conversationId, line);
      });
      return sent;
    },
  };
}

/** The one after the last; or when all that was under way as it or a later one came is done, for then nothing before that can come any more. */
function mayGo({ underWay, waiting, last }: Line, first: Waiting): boolean {
  const oldest = underWay.values().next().value ?? Number.POSITIVE_INFINITY;
  return first.seq === last + 1 || waiting.some(({ barrier }) => barrier < oldest);
}
