import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDraft, getDraft, listDraftPlaces, saveDraft } from '#lib/forms/drafts.ts';
import { createSavedNotes } from './use-live-notes.ts';

const [PERSON, MEETING] = ['a'.repeat(24), 'b'.repeat(24)];
const PLACE = `meeting:${MEETING}:notes-together`;
const openTab = () => createSavedNotes(PERSON, MEETING);
const written = (text: string, base = '', version = 1) => ({ base, text, version });
const kept = () => listDraftPlaces(PLACE, PERSON).map((place) => getDraft(place, PERSON));

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

describe('saved notes', () => {
  it('are separate per tab', () => {
    const [one, other] = [openTab(), openTab()];
    one.store(written('Mine'));
    other.store(undefined);
    other.store(written('In another tab'));
    expect(kept()).toHaveLength(2);
    other.store(undefined);
    expect(kept()).toEqual([written('Mine')]);
  });

  it('are found by the next tab, from all closed ones, and removed with its own', () => {
    const [one, other, third] = [openTab(), openTab(), openTab()];
    one.store(written('Present: all\nBudget', 'Present\nBudget'));
    other.store(written('Present\nBudget: 10 k\nOf Maya', 'Present\nBudget\nOf Maya', 2));
    third.store(written('Present\nBudget\nPlans', 'Present\nBudget'));
    const next = openTab();
    expect(next.found).toMatchObject({ base: 'Present\nBudget\nOf Maya', version: 2 });
    expect(next.found?.text.split('\n').sort()).toEqual(['Budget: 10 k', 'Of Maya', 'Plans', 'Present: all']);
    // Until it has stored them itself.
    expect(kept()).toHaveLength(3);
    next.store(next.found);
    expect(kept()).toEqual([next.found]);
    next.store(undefined);
    expect(kept()).toEqual([]);
  });

  it('are stored again by a tab that another one assumed closed', () => {
    const one = openTab();
    const stop = one.follow();
    one.store(written('Mine'));
    const other = openTab();
    other.store(other.found);
    expect(kept()).toEqual([written('Mine'), written('Mine')]);
    other.store(undefined);
    expect(kept()).toEqual([written('Mine')]);
    one.store(undefined);
    expect(kept()).toEqual([]);
    stop();
  });

  it('are read in an earlier format, and ignored in an unknown one', () => {
    expect(openTab().found).toBeUndefined();
    saveDraft(PERSON, PLACE, written('Mine'));
    expect(openTab().found).toEqual(written('Mine'));
    deleteDraft(PERSON, PLACE);
    saveDraft(PERSON, PLACE, 'no record');
    expect(openTab().found).toBeUndefined();
  });
});
