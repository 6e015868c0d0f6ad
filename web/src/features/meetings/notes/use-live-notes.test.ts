import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDraft, getDraft, listDraftKeys, saveDraft } from '#lib/forms/drafts.ts';
import { createNotesDraftStore } from './use-live-notes.ts';

const USER = 'a'.repeat(24);
const MEETING = 'b'.repeat(24);
const DRAFT_KEY = `meeting:${MEETING}:notes-together`;
const openTab = () => createNotesDraftStore(USER, MEETING);
const buildDraft = (text: string, base = '', version = 1) => ({ base, text, version });
const listDrafts = () => listDraftKeys(DRAFT_KEY, USER).map((key) => getDraft(key, USER));

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

describe('drafts of notes', () => {
  it('are separate per tab', () => {
    const firstTab = openTab();
    const secondTab = openTab();
    firstTab.set(buildDraft('Mine'));
    secondTab.set(undefined);
    secondTab.set(buildDraft('In another tab'));
    expect(listDrafts()).toHaveLength(2);
    secondTab.set(undefined);
    expect(listDrafts()).toEqual([buildDraft('Mine')]);
  });

  it('of all closed tabs are recovered by the next tab, and removed with its own', () => {
    const firstTab = openTab();
    const secondTab = openTab();
    const thirdTab = openTab();
    firstTab.set(buildDraft('Present: all\nBudget', 'Present\nBudget'));
    secondTab.set(buildDraft('Present\nBudget: 10 k\nNotes by Maya', 'Present\nBudget\nNotes by Maya', 2));
    thirdTab.set(buildDraft('Present\nBudget\nPlans', 'Present\nBudget'));
    const nextTab = openTab();
    expect(nextTab.recoveredDraft).toMatchObject({ base: 'Present\nBudget\nNotes by Maya', version: 2 });
    expect(nextTab.recoveredDraft?.text.split('\n').sort()).toEqual([
      'Budget: 10 k',
      'Notes by Maya',
      'Plans',
      'Present: all',
    ]);
    // The drafts stay until the next tab has saved its own.
    expect(listDrafts()).toHaveLength(3);
    nextTab.set(nextTab.recoveredDraft);
    expect(listDrafts()).toEqual([nextTab.recoveredDraft]);
    nextTab.set(undefined);
    expect(listDrafts()).toEqual([]);
  });

  it('are saved again by an open tab when another tab has taken them over', () => {
    const firstTab = openTab();
    const stop = firstTab.restoreOnTakeover();
    firstTab.set(buildDraft('Mine'));
    const secondTab = openTab();
    secondTab.set(secondTab.recoveredDraft);
    expect(listDrafts()).toEqual([buildDraft('Mine'), buildDraft('Mine')]);
    secondTab.set(undefined);
    expect(listDrafts()).toEqual([buildDraft('Mine')]);
    firstTab.set(undefined);
    expect(listDrafts()).toEqual([]);
    stop();
  });

  it('are recovered from a key without a tab id, and ignored in an unknown format', () => {
    expect(openTab().recoveredDraft).toBeUndefined();
    saveDraft(USER, DRAFT_KEY, buildDraft('Mine'));
    expect(openTab().recoveredDraft).toEqual(buildDraft('Mine'));
    deleteDraft(USER, DRAFT_KEY);
    saveDraft(USER, DRAFT_KEY, 'no record');
    expect(openTab().recoveredDraft).toBeUndefined();
  });
});
