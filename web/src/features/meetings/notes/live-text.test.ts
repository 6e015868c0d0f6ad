import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLiveText, type Written } from './live-text.ts';

/** The server, as one person reaches it: what it has, and ways to be away, or to lose an answer. */
function aServer(notes = '') {
  const server = {
    notes,
    version: 1,
    isAway: false,
    losesAnswer: false,
    answered: new Map<string, { notes: string; both: []; version: number }>(),
    write(base: string, text: string) {
      server.notes = mergeParagraphs({ base, theirs: server.notes, yours: text }).text;
      server.version += 1;
    },
    async send({ base, text, key }: { base: string; text: string; key: string }) {
      await Promise.resolve();
      if (server.isAway) throw new Error('away');
      if (!server.answered.has(key)) {
        server.write(base, text);
        server.answered.set(key, { notes: server.notes, both: [], version: server.version });
      }
      if (server.losesAnswer) throw new Error('lost');
      const answer = server.answered.get(key);
      if (!answer) throw new Error('no answer');
      return answer;
    },
  };
  return server;
}

let keys = 0;
let kept: Written | undefined;
let timesToldKept = 0;
const tellKept = () => {
  timesToldKept += 1;
};

function aWriter(server: ReturnType<typeof aServer>, begin: Partial<Written> = {}) {
  return createLiveText(
    { base: server.notes, text: server.notes, version: server.version, ...begin },
    {
      send: server.send,
      isPassing: (failure) => failure instanceof Error && ['away', 'lost'].includes(failure.message),
      keep: (unsent) => {
        kept = unsent;
      },
      tellKept,
      newKey: () => `key ${++keys}`,
    },
  );
}

beforeEach(() => {
  jest.useFakeTimers();
  kept = undefined;
  timesToldKept = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

describe('a text that several write', () => {
  it('is sent a moment after the last key, and kept on the device until then', async () => {
    const server = aServer('Present');
    const writer = aWriter(server);
    writer.type('Present: all');
    expect(kept).toEqual({ base: 'Present', text: 'Present: all', version: 1 });
    expect(server.notes).toBe('Present');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('Present: all');
    expect(writer.get()).toMatchObject({ status: 'saved', text: 'Present: all' });
    expect(kept).toBeUndefined();
  });

  it('takes in what others wrote while one types, and says where both are kept', async () => {
    const server = aServer('Present\nBudget');
    const writer = aWriter(server);
    writer.type('Present\nBudget: 10 k');
    server.write('Present\nBudget', 'Present: all\nBudget: 12 k');
    writer.hear(server.notes, server.version);
    expect(writer.get().text).toBe('Present: all\nBudget: 12 k\nBudget: 10 k');
    expect(writer.get().both).toEqual([{ theirs: 'Present: all\nBudget: 12 k', yours: 'Budget: 10 k' }]);
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe(writer.get().text);
  });

  it('does not take its own words for another’s, whichever of news and answer comes first', async () => {
    const server = aServer();
    const writer = aWriter(server);
    writer.type('We agr');
    const sending = writer.flush();
    await Promise.resolve();
    writer.type('We agreed.');
    // The news of what is under way.
    writer.hear('We agr', 2);
    await sending;
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('We agreed.');
    // What was asked for before comes late.
    writer.hear('', 1);
    expect(writer.get().text).toBe('We agreed.');
  });

  it('goes on by itself once the network is back, and says nothing twice after an answer that was lost', async () => {
    const server = aServer();
    const writer = aWriter(server);
    server.isAway = true;
    writer.type('First');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(writer.get().status).toBe('waiting');
    expect(kept).toMatchObject({ text: 'First' });
    server.isAway = false;
    server.losesAnswer = true;
    await jest.advanceTimersByTimeAsync(5_100);
    expect(server.notes).toBe('First');
    writer.type('First\nSecond');
    server.write('First', 'First\nOf another');
    server.losesAnswer = false;
    await jest.advanceTimersByTimeAsync(10_000);
    writer.hear(server.notes, server.version);
    expect(server.notes.split('\n').sort()).toEqual(['First', 'Of another', 'Second']);
    expect(writer.get()).toMatchObject({ status: 'saved', text: server.notes });
  });

  it('sends what a reload has left, merged with what came meanwhile', async () => {
    const server = aServer('Present');
    server.write('Present', 'Present\nOf another');
    const writer = aWriter(server, { base: 'Present', text: 'Present\nMine', version: 1 });
    writer.hear(server.notes, server.version);
    await jest.advanceTimersByTimeAsync(100);
    expect(server.notes.split('\n').sort()).toEqual(['Mine', 'Of another', 'Present']);
  });

  it('stops where the server refuses, keeps the words, and tries again once they are changed', async () => {
    const server = aServer();
    const refused = new Error('too long');
    let isRefusing = true;
    const writer = createLiveText(
      { base: '', text: '', version: 1 },
      {
        send: (attempt) => (isRefusing ? Promise.reject(refused) : server.send(attempt)),
        isPassing: () => false,
        keep: (unsent) => {
          kept = unsent;
        },
        tellKept,
        newKey: () => `key ${++keys}`,
      },
    );
    writer.type('Too long');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(writer.get()).toMatchObject({ status: 'refused', failure: refused, text: 'Too long' });
    expect(kept).toMatchObject({ text: 'Too long' });
    // Who looks at it sees that.
    expect(timesToldKept).toBe(0);
    isRefusing = false;
    writer.type('Short');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('Short');
  });

  it('is sent on as soon as it can be where nobody looks any more, with pauses that grow as far as a minute', async () => {
    const server = aServer();
    const send = jest.spyOn(server, 'send');
    const writer = aWriter(server);
    server.isAway = true;
    writer.type('First');
    writer.leave();
    await jest.advanceTimersByTimeAsync(50_000);
    // At once, and after 5, 15 and 35 seconds.
    expect(send).toHaveBeenCalledTimes(4);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(send.mock.calls.length).toBeGreaterThanOrEqual(13);
    expect(new Set(send.mock.calls.map(([{ key }]) => key)).size).toBe(1);
    server.isAway = false;
    await jest.advanceTimersByTimeAsync(60_000);
    expect([server.notes, kept, timesToldKept]).toEqual(['First', undefined, 0]);
  });

  it('goes on with the same when somebody looks again before it was sent', async () => {
    const server = aServer();
    const writer = aWriter(server);
    server.losesAnswer = true;
    writer.type('First');
    writer.leave();
    await jest.advanceTimersByTimeAsync(100);
    writer.comeBack();
    writer.type('First of all');
    server.losesAnswer = false;
    await jest.advanceTimersByTimeAsync(1_300);
    expect([server.notes, writer.get().both]).toEqual(['First of all', []]);
  });

  it('is told of as kept on the device where it is refused and nobody looks any more', async () => {
    const server = aServer();
    jest.spyOn(server, 'send').mockRejectedValue(new Error('too long'));
    const writer = aWriter(server);
    writer.type('Too long');
    writer.leave();
    await jest.advanceTimersByTimeAsync(600_000);
    expect([timesToldKept, kept?.text]).toEqual([1, 'Too long']);
  });

  it('is sent by nobody once its person has gone', async () => {
    const server = aServer();
    const writer = aWriter(server);
    server.isAway = true;
    writer.type('First');
    writer.leave();
    await jest.advanceTimersByTimeAsync(100);
    writer.stop();
    server.isAway = false;
    await jest.advanceTimersByTimeAsync(600_000);
    expect(server.notes).toBe('');
  });
});
