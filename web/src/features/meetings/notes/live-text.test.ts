import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLiveText, type NotesDraft } from './live-text.ts';

function createServer(notes = '') {
  const server = {
    notes,
    version: 1,
    isUnavailable: false,
    losesResponse: false,
    responses: new Map<string, { notes: string; both: []; version: number }>(),
    write(base: string, text: string) {
      server.notes = mergeParagraphs({ base, theirs: server.notes, yours: text }).text;
      server.version += 1;
    },
    async send({ base, text, key }: { base: string; text: string; key: string }) {
      await Promise.resolve();
      if (server.isUnavailable) throw new Error('unavailable');
      if (!server.responses.has(key)) {
        server.write(base, text);
        server.responses.set(key, { notes: server.notes, both: [], version: server.version });
      }
      if (server.losesResponse) throw new Error('lost');
      const response = server.responses.get(key);
      if (!response) throw new Error('No response prepared');
      return response;
    },
  };
  return server;
}

let keyCount = 0;
let draft: NotesDraft | undefined;
let keptLocallyCount = 0;
const onKeptLocally = () => {
  keptLocallyCount += 1;
};

function createWriter(server: ReturnType<typeof createServer>, unsentDraft: Partial<NotesDraft> = {}) {
  return createLiveText(
    { base: server.notes, text: server.notes, version: server.version, ...unsentDraft },
    {
      send: server.send,
      isTransient: (failure) => failure instanceof Error && ['unavailable', 'lost'].includes(failure.message),
      setDraft: (unsent) => {
        draft = unsent;
      },
      onKeptLocally,
      newKey: () => `key ${++keyCount}`,
    },
  );
}

beforeEach(() => {
  jest.useFakeTimers();
  draft = undefined;
  keptLocallyCount = 0;
});
afterEach(() => {
  jest.useRealTimers();
});

describe('collaborative text', () => {
  it('is sent shortly after the last keystroke, and kept on the device until then', async () => {
    const server = createServer('Present');
    const writer = createWriter(server);
    writer.type('Present: all');
    expect(draft).toEqual({ base: 'Present', text: 'Present: all', version: 1 });
    expect(server.notes).toBe('Present');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('Present: all');
    expect(writer.get()).toMatchObject({ status: 'saved', text: 'Present: all' });
    expect(draft).toBeUndefined();
  });

  it('merges remote changes while the user types, and reports conflicting paragraphs', async () => {
    const server = createServer('Present\nBudget');
    const writer = createWriter(server);
    writer.type('Present\nBudget: 10 k');
    server.write('Present\nBudget', 'Present: all\nBudget: 12 k');
    writer.receive(server.notes, server.version);
    expect(writer.get().text).toBe('Present: all\nBudget: 12 k\nBudget: 10 k');
    expect(writer.get().conflicts).toEqual([{ theirs: 'Present: all\nBudget: 12 k', yours: 'Budget: 10 k' }]);
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe(writer.get().text);
  });

  it('does not treat its own text as remote, whether event or response arrives first', async () => {
    const server = createServer();
    const writer = createWriter(server);
    writer.type('We agr');
    const sending = writer.flush();
    await Promise.resolve();
    writer.type('We agreed.');
    // This event reports the request in flight.
    writer.receive('We agr', 2);
    await sending;
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('We agreed.');
    // A response to an earlier request arrives late.
    writer.receive('', 1);
    expect(writer.get().text).toBe('We agreed.');
  });

  it('resumes sending when the server is available again, and sends nothing twice after a lost response', async () => {
    const server = createServer();
    const writer = createWriter(server);
    server.isUnavailable = true;
    writer.type('First');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(writer.get().status).toBe('waiting');
    expect(draft).toMatchObject({ text: 'First' });
    server.isUnavailable = false;
    server.losesResponse = true;
    await jest.advanceTimersByTimeAsync(5_100);
    expect(server.notes).toBe('First');
    writer.type('First\nSecond');
    server.write('First', 'First\nNotes by Lin');
    server.losesResponse = false;
    await jest.advanceTimersByTimeAsync(10_000);
    writer.receive(server.notes, server.version);
    expect(server.notes.split('\n').sort()).toEqual(['First', 'Notes by Lin', 'Second']);
    expect(writer.get()).toMatchObject({ status: 'saved', text: server.notes });
  });

  it('sends changes that were unsent before a reload, merged with later ones', async () => {
    const server = createServer('Present');
    server.write('Present', 'Present\nNotes by Lin');
    const writer = createWriter(server, { base: 'Present', text: 'Present\nMine', version: 1 });
    writer.receive(server.notes, server.version);
    await jest.advanceTimersByTimeAsync(100);
    expect(server.notes.split('\n').sort()).toEqual(['Mine', 'Notes by Lin', 'Present']);
  });

  it('is not sent again after a rejection until it is changed, but kept on the device', async () => {
    const server = createServer();
    const rejection = new Error('too long');
    let isRejecting = true;
    const writer = createLiveText(
      { base: '', text: '', version: 1 },
      {
        send: (attempt) => (isRejecting ? Promise.reject(rejection) : server.send(attempt)),
        isTransient: () => false,
        setDraft: (unsent) => {
          draft = unsent;
        },
        onKeptLocally,
        newKey: () => `key ${++keyCount}`,
      },
    );
    writer.type('Too long');
    await jest.advanceTimersByTimeAsync(10_000);
    expect(writer.get()).toMatchObject({ status: 'rejected', failure: rejection, text: 'Too long' });
    expect(draft).toMatchObject({ text: 'Too long' });
    // The open editor shows the rejection itself.
    expect(keptLocallyCount).toBe(0);
    isRejecting = false;
    writer.type('Short');
    await jest.advanceTimersByTimeAsync(1_300);
    expect(server.notes).toBe('Short');
  });

  it('is sent immediately after closing, and retried with delays of up to a minute', async () => {
    const server = createServer();
    const send = jest.spyOn(server, 'send');
    const writer = createWriter(server);
    server.isUnavailable = true;
    writer.type('First');
    writer.close();
    await jest.advanceTimersByTimeAsync(50_000);
    // It was sent immediately, and after 5, 15, and 35 seconds.
    expect(send).toHaveBeenCalledTimes(4);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(send.mock.calls.length).toBeGreaterThanOrEqual(13);
    expect(new Set(send.mock.calls.map(([{ key }]) => key)).size).toBe(1);
    server.isUnavailable = false;
    await jest.advanceTimersByTimeAsync(60_000);
    expect([server.notes, draft, keptLocallyCount]).toEqual(['First', undefined, 0]);
  });

  it('continues with its unsent changes when it is reopened', async () => {
    const server = createServer();
    const writer = createWriter(server);
    server.losesResponse = true;
    writer.type('First');
    writer.close();
    await jest.advanceTimersByTimeAsync(100);
    writer.reopen();
    writer.type('First of all');
    server.losesResponse = false;
    await jest.advanceTimersByTimeAsync(1_300);
    expect([server.notes, writer.get().conflicts]).toEqual(['First of all', []]);
  });

  it('notifies that it is kept on the device if it is rejected after closing', async () => {
    const server = createServer();
    jest.spyOn(server, 'send').mockRejectedValue(new Error('too long'));
    const writer = createWriter(server);
    writer.type('Too long');
    writer.close();
    await jest.advanceTimersByTimeAsync(600_000);
    expect([keptLocallyCount, draft?.text]).toEqual([1, 'Too long']);
  });

  it('is not sent after the user signs out', async () => {
    const server = createServer();
    const writer = createWriter(server);
    server.isUnavailable = true;
    writer.type('First');
    writer.close();
    await jest.advanceTimersByTimeAsync(100);
    writer.stop();
    server.isUnavailable = false;
    await jest.advanceTimersByTimeAsync(600_000);
    expect(server.notes).toBe('');
  });
});
