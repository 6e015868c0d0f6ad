import type { Draft as SavedDraft } from '@atrium/proto-events/http/chat/drafts';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hasDrafts } from '#lib/forms/drafts.ts';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { getMessageDraft, isUnsaved, listDraftLogs, saveMessageDraft, storeDraft } from './drafts.ts';
import { mergeDraft } from './merge-draft.ts';

const ME = buildUser('a');
const NOW = Date.UTC(2026, 10, 20, 12);
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

  it('does not replace a text that is being typed, which is saved as the next version', () => {
    write('Typing');
    markSaved(NOW);
    jest.setSystemTime(NOW + 2_000);
    mergeDraft(ME._id, saved('From elsewhere', NOW + 2_000));
    expect(draftHere()).toMatchObject({ text: 'Typing', server: { version: NOW + 2_000 } });
    expect(isUnsaved(draftHere())).toBe(true);
  });

  it('replaces one that was written earlier without a connection, and not one that was written later', () => {
    write('Offline');
    jest.setSystemTime(NOW + 60_000);
    mergeDraft(ME._id, saved('Before', NOW - 1_000));
    expect(draftHere().text).toBe('Offline');
    mergeDraft(ME._id, saved('After', NOW + 30_000));
    expect(draftHere().text).toBe('After');
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
