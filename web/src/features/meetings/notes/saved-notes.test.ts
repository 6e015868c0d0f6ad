import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deleteDraft, getDraft, listDraftPlaces, saveDraft } from '#lib/forms/drafts.ts';
import { createSavedNotes } from './use-live-notes.ts';

const [PERSON, MEETING] = ['a'.repeat(24), 'b'.repeat(24)];
const PLACE = `meeting:${MEETING}:notes-together`;
/** A tab whose dialog was opened at this point. */
const openTab = () => createSavedNotes(PERSON, MEETING);
const written = (text: string, base = '', version = 1) => ({ base, text, version });
const kept = () => listDraftPlaces(PLACE, PERSON).map((place) => getDraft(place, PERSON));

beforeEach(() => localStorage.clear());
afterEach(() => localStorage.clear());

describe('saved notes', () => {
  it('are separate per tab', () => {
    const [one, other] = [openTab(), openTab()];
    one.keep(written('Mine'));
    other.keep(undefined);
    other.keep(written('In another tab'));
    expect(kept()).toHaveLength(2);
    other.keep(undefined);
    expect(kept()).toEqual([written('Mine')]);
  });

  it('are found by the next tab, from all closed ones, and removed with its own', () => {
    const [one, other, third] = [openTab(), openTab(), openTab()];
    one.keep(written('Present: all\nBudget', 'Present\nBudget'));
    other.keep(written('Present\nBudget: 10 k\nOf Maya', 'Present\nBudget\nOf Maya', 2));
    third.keep(written('Present\nBudget\nPlans', 'Present\nBudget'));
    const next = openTab();
    expect(next.found).toMatchObject({ base: 'Present\nBudget\nOf Maya', version: 2 });
    expect(next.found?.text.split('\n').sort()).toEqual(['Budget: 10 k', 'Of Maya', 'Plans', 'Present: all']);
    // Until it has stored them itself.
    expect(kept()).toHaveLength(3);
    next.keep(next.found);
    expect(kept()).toEqual([next.found]);
    next.keep(undefined);
    expect(kept()).toEqual([]);
  });

  it('are stored again by a tab that another one assumed closed', () => {
    const one = openTab();
    const stop = one.follow();
    one.keep(written('Mine'));
    const other = openTab();
    other.keep(other.found);
    expect(kept()).toEqual([written('Mine'), written('Mine')]);
    other.keep(undefined);
    expect(kept()).toEqual([written('Mine')]);
    one.keep(undefined);
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
