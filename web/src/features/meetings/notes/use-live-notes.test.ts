import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDraft, getDraft, listDraftPlaces, saveDraft } from '#lib/forms/drafts.ts';
import { createSavedNotes } from './use-live-notes.ts';

const PERSON = 'a'.repeat(24);
const MEETING = 'b'.repeat(24);
const PLACE = `meeting:${MEETING}:notes-together`;
const openTab = () => createSavedNotes(PERSON, MEETING);
const buildDraft = (text: string, base = '', version = 1) => ({ base, text, version });
const listSavedNotes = () => listDraftPlaces(PLACE, PERSON).map((place) => getDraft(place, PERSON));

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

describe('saved notes', () => {
  it('are separate per tab', () => {
    const firstTab = openTab();
    const secondTab = openTab();
    firstTab.store(buildDraft('Mine'));
    secondTab.store(undefined);
    secondTab.store(buildDraft('In another tab'));
    expect(listSavedNotes()).toHaveLength(2);
    secondTab.store(undefined);
    expect(listSavedNotes()).toEqual([buildDraft('Mine')]);
  });

  it('of all closed tabs are recovered by the next tab, and removed with its own', () => {
    const firstTab = openTab();
    const secondTab = openTab();
    const thirdTab = openTab();
    firstTab.store(buildDraft('Present: all\nBudget', 'Present\nBudget'));
    secondTab.store(buildDraft('Present\nBudget: 10 k\nNotes by Maya', 'Present\nBudget\nNotes by Maya', 2));
    thirdTab.store(buildDraft('Present\nBudget\nPlans', 'Present\nBudget'));
    const nextTab = openTab();
    expect(nextTab.recoveredNotes).toMatchObject({ base: 'Present\nBudget\nNotes by Maya', version: 2 });
    expect(nextTab.recoveredNotes?.text.split('\n').sort()).toEqual([
      'Budget: 10 k',
      'Notes by Maya',
      'Plans',
      'Present: all',
    ]);
    // The entries stay until the next tab has stored the notes itself.
    expect(listSavedNotes()).toHaveLength(3);
    nextTab.store(nextTab.recoveredNotes);
    expect(listSavedNotes()).toEqual([nextTab.recoveredNotes]);
    nextTab.store(undefined);
    expect(listSavedNotes()).toEqual([]);
  });

  it('are stored again by a tab that another tab assumed to be closed', () => {
    const firstTab = openTab();
    const stop = firstTab.follow();
    firstTab.store(buildDraft('Mine'));
    const secondTab = openTab();
    secondTab.store(secondTab.recoveredNotes);
    expect(listSavedNotes()).toEqual([buildDraft('Mine'), buildDraft('Mine')]);
    secondTab.store(undefined);
    expect(listSavedNotes()).toEqual([buildDraft('Mine')]);
    firstTab.store(undefined);
    expect(listSavedNotes()).toEqual([]);
    stop();
  });

  it('are read in an earlier format, and ignored in an unknown one', () => {
    expect(openTab().recoveredNotes).toBeUndefined();
    saveDraft(PERSON, PLACE, buildDraft('Mine'));
    expect(openTab().recoveredNotes).toEqual(buildDraft('Mine'));
    deleteDraft(PERSON, PLACE);
    saveDraft(PERSON, PLACE, 'no record');
    expect(openTab().recoveredNotes).toBeUndefined();
  });
});
