import { meetingContentChanged } from '@atrium/proto-events/events/meeting-closing';
import { mergeParagraphs } from '@atrium/proto-events/merge-paragraphs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startMeetings, type TestUserName } from './factories.ts';

let api: Awaited<ReturnType<typeof startMeetings>>;

beforeAll(async () => {
  api = await startMeetings();
});
afterAll(() => api.service.close());

type Notes = { notes: string; both: { theirs: string; yours: string }[]; version: number };
const writeNotes = (as: TestUserName | undefined, id: string, base: string, text: string) =>
  api.service.call('PUT', `/meetings/${id}/notes`, { ...(as && { as: api.users[as] }), body: { base, text } });

describe('PUT /meetings/:id/notes', () => {
  it('merges concurrent notes, and keeps both versions of a paragraph that two users changed', async () => {
    const { _id } = await api.scheduleMeeting();
    const base = 'Present\n\nBudget\n\nNext';
    await writeNotes('organizer', _id, '', base);
    await writeNotes('admin', _id, base, 'Present: all\n\nBudget\n\nNext');
    const { body } = await writeNotes('organizer', _id, base, 'Present\n\nBudget: 10 k\n\nNext: Monday');
    expect(body).toMatchObject({ notes: 'Present: all\n\nBudget: 10 k\n\nNext: Monday', both: [] });
    const conflicting = await writeNotes('admin', _id, base, 'Present\n\nBudget: 12 k\n\nNext');
    expect(conflicting.body).toMatchObject({
      notes: 'Present: all\n\nBudget: 10 k\nBudget: 12 k\n\nNext: Monday',
      both: [{ theirs: 'Budget: 10 k', yours: 'Budget: 12 k' }],
    });
    // A retry after a lost response changes nothing.
    expect((await writeNotes('admin', _id, base, 'Present\n\nBudget: 12 k\n\nNext')).body).toMatchObject({
      notes: (conflicting.body as Notes).notes,
      both: [],
      version: (conflicting.body as Notes).version,
    });
    const event = await api.service.waitForEvent(meetingContentChanged, (data) => data.meetingId === _id);
    expect(event.data).toMatchObject({ changed: ['notes'], project: null, participantIds: expect.any(Array) });
    expect(JSON.stringify(event)).not.toContain('Present');
    expect(api.service.countPublished(meetingContentChanged, (data) => data.meetingId === _id)).toBe(4);
  });

  it('loses no line of twelve concurrent writers', async () => {
    const { _id } = await api.scheduleMeeting();
    const lines = Array.from({ length: 12 }, (_, index) => `Line of writer ${index}`);
    await Promise.all(lines.map((line, index) => writeNotes(index % 2 ? 'organizer' : 'admin', _id, '', line)));
    const { notes } = (await api.get('invitee', _id)).body as Notes;
    expect(notes.split('\n').sort()).toEqual([...lines].sort());
  });

  it('makes a form that was opened before a change stale', async () => {
    const { _id, version } = await api.scheduleMeeting();
    await writeNotes('organizer', _id, '', 'Kept');
    expect((await api.patch('admin', _id, { notes: 'My own', version })).status).toBe(409);
  });

  it('rejects callers who cannot add notes, and notes that are too long', async () => {
    const { _id } = await api.scheduleMeeting();
    expect((await writeNotes('invitee', _id, '', 'x')).body).toMatchObject({
      message: 'Only Admin and Project Manager can add notes',
    });
    expect((await writeNotes('manager', _id, '', 'x')).status).toBe(404);
    expect((await writeNotes(undefined, _id, '', 'x')).status).toBe(401);
    expect(await writeNotes('organizer', _id, '', 'x'.repeat(2001))).toMatchObject({
      status: 400,
      body: { message: ['Notes must be at most 2000 characters'] },
    });
  });

  it('rejects notes beyond the merge limit and keeps the current notes', async () => {
    const { _id } = await api.scheduleMeeting();
    const page = (index: number) => String(index % 10).repeat(1_999);
    for (let index = 0; index < 10; index += 1) await writeNotes('organizer', _id, '', page(index));
    const { status, body } = await writeNotes('admin', _id, '', 'x'.repeat(2_000));
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { message: 'The notes have grown too long. Please shorten them first.' },
    });
    const { notes } = (await api.get('admin', _id)).body as Notes;
    expect(notes.split('\n')).toHaveLength(10);
    // Notes that exceed the limit after a merge can be saved unchanged or shorter, but not longer.
    const shorter = notes.slice(0, -1_000);
    expect((await writeNotes('admin', _id, notes, shorter)).body).toMatchObject({ notes: shorter });
    expect((await writeNotes('admin', _id, shorter, shorter)).status).toBe(200);
    expect(await writeNotes('admin', _id, shorter, `${shorter}+`)).toMatchObject({
      status: 400,
      body: { message: ['Notes must be at most 2000 characters'] },
    });
    expect((await writeNotes('admin', _id, shorter, 'Short again')).body).toMatchObject({ notes: 'Short again' });
  });
});

it('mergeParagraphs merges texts that consist mostly of line breaks without slowing down', () => {
  const before = process.cpuUsage();
  const createText = (length: number, end: string) => `${'\n'.repeat(length)}${end}`;
  mergeParagraphs({
    base: createText(19_000, 'a'),
    theirs: `b${createText(19_000, 'c')}`,
    yours: `d${createText(1_900, 'e')}`,
  });
  mergeParagraphs({ base: '', theirs: createText(19_000, 'a'), yours: createText(9_000, 'b') });
  // Comparing every pair of lines would take minutes.
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000);
});
