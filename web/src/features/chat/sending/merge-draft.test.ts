import type { Draft as SavedDraft } from '@atrium/proto-events/http/chat/drafts';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { getMessageDraft, isUnsaved, listDraftLogs, saveMessageDraft, storeDraft } from './drafts.ts';
import { mergeDraft } from './merge-draft.ts';

const ME = buildUser('a');
const NOW = Date.UTC(2026, 10, 20, 12);
const DAY_MS = 24 * 60 * 60_000;
const conversation = 'c'.repeat(24);

beforeEach(() => {
  localStorage.clear();
  jest.useFakeTimers({ now: NOW });
  signInAs(ME);
});

const saved = (content: string, version: number, extra: Partial<SavedDraft> = {}): SavedDraft => ({
  _id: conversation,
  conversation,
  content,
  mentions: { users: [], groups: [], here: false, everyone: false },
  version,
  updatedAt: new Date(version).toISOString(),
  ...extra,
});
const draftHere = (logId = conversation) => getMessageDraft(ME._id, logId);
const write = (text: string) => saveMessageDraft(ME._id, conversation, { ...draftHere(), text });
/** Records that the server has the draft as it is. */
const markSaved = (version: number) =>
  storeDraft(ME._id, conversation, { ...draftHere(), server: { version, content: draftHere().text } });

describe('a draft of another device', () => {
  it('is taken, with the names that it mentions, and is not lost by signing out', () => {
    const user = { ...buildUser('b'), firstName: 'Ann', lastName: 'Lee' };
    const content = `Ask <@${user._id}>`;
    mergeDraft(ME._id, saved(content, NOW, { mentions: { users: [user], groups: [], here: false, everyone: false } }));
    expect(draftHere()).toMatchObject({ text: 'Ask @Ann Lee', server: { version: NOW, content } });
    expect(isUnsaved(draftHere())).toBe(false);
    expect(hasDrafts()).toBe(false);
    write('Ask someone else');
    expect(hasDrafts()).toBe(true);
  });

  it('of a thread is kept with its conversation', () => {
    const thread = 'd'.repeat(24);
    mergeDraft(ME._id, saved('A reply', NOW, { _id: thread, thread }));
    expect(draftHere(`thread:${thread}`)).toMatchObject({ text: 'A reply', conversation });
  });

  it('replaces a saved one that is not being typed', () => {
    write('Earlier');
    markSaved(NOW);
    jest.setSystemTime(NOW + 60_000);
    mergeDraft(ME._id, saved('Later', NOW + 60_000));
    expect(draftHere().text).toBe('Later');
  });

  it('replaces a saved one soon after the last key, too', () => {
    write('Earlier');
    markSaved(NOW);
    mergeDraft(ME._id, saved('From elsewhere', NOW + 1));
    expect(draftHere().text).toBe('From elsewhere');
  });

  it.each([NOW - DAY_MS, NOW + DAY_MS])(
    'is kept together with a text that was changed here, whatever the clocks say',
    (updatedAt) => {
      write('Saved');
      markSaved(NOW);
      write('Changed here');
      mergeDraft(ME._id, saved('Changed there', NOW + 1, { updatedAt: new Date(updatedAt).toISOString() }));
      expect(draftHere()).toMatchObject({
        text: 'Changed there\nChanged here',
        server: { version: NOW + 1, content: 'Changed there' },
      });
      expect(isUnsaved(draftHere())).toBe(true);
    },
  );

  it('is not repeated if the text here contains it, or it contains the text here', () => {
    write('Hello there');
    mergeDraft(ME._id, saved('Hello', NOW));
    expect(draftHere().text).toBe('Hello there');
    mergeDraft(ME._id, saved('Hello there, everyone', NOW + 1));
    expect(draftHere().text).toBe('Hello there, everyone');
  });

  it('is not taken for one if this device has sent it and not received the response', () => {
    write('Hello');
    storeDraft(ME._id, conversation, { ...draftHere(), sent: ['Hello'] });
    write('Hallo');
    mergeDraft(ME._id, saved('Hello', NOW));
    expect(draftHere()).toMatchObject({ text: 'Hallo', server: { version: NOW, content: 'Hello' } });
    expect(draftHere().sent).toBeUndefined();
  });

  it('stays if the text here was sent meanwhile', () => {
    write('Saved');
    markSaved(NOW);
    write('');
    mergeDraft(ME._id, saved('Saved, and more', NOW + 1));
    expect(draftHere().text).toBe('Saved, and more');
  });
});

describe('a draft that another device has removed', () => {
  it('is removed here, also soon after the last key', () => {
    write('Sent elsewhere');
    markSaved(NOW);
    mergeDraft(ME._id, saved('', NOW + 1_000));
    expect(draftHere()).toEqual({ text: '' });
  });

  it('stays if it was changed since it was saved', () => {
    write('Saved');
    markSaved(NOW);
    write('Saved, and more');
    mergeDraft(ME._id, saved('', NOW + 1_000));
    expect(draftHere().text).toBe('Saved, and more');
    expect(draftHere().server).toBeUndefined();
    expect(isUnsaved(draftHere())).toBe(true);
  });
});

it('an emptied draft is stored until the server has removed it', () => {
  write('Sent');
  markSaved(NOW);
  write('');
  expect(isUnsaved(draftHere())).toBe(true);
  mergeDraft(ME._id, saved('', NOW + 1_000));
  expect(draftHere()).toEqual({ text: '' });
  expect(listDraftLogs(ME._id)).toEqual([]);
});
