import { beforeEach, expect, it } from '@jest/globals';
import { buildUser } from '#test/build-user.ts';
import { signInAs } from '#test/sign-in-as.ts';
import { restoreDraft } from './draft-list.ts';
import { findReturnedId, getMessageDraft, returnText, saveMessageDraft, withdrawReturned } from './drafts.ts';

const me = buildUser('a')._id;
const LOG = 'c'.repeat(24);
const draft = () => getMessageDraft(me, LOG);

beforeEach(() => {
  localStorage.clear();
  signInAs(buildUser('a'));
});

it('each of several returned messages is removed from the composer if it arrived after all', () => {
  returnText(me, LOG, { clientMessageId: 'one', content: 'first' });
  returnText(me, LOG, { clientMessageId: 'two', content: 'second' });
  expect(draft().text.split('\n').toSorted()).toEqual(['first', 'second']);
  expect(withdrawReturned(me, LOG, ({ clientMessageId }) => clientMessageId === 'one')).toBe(true);
  expect(draft().text).toBe('second');
  expect(findReturnedId(draft(), 'second')).toBe('two');
  expect(withdrawReturned(me, LOG, ({ clientMessageId }) => clientMessageId === 'two')).toBe(true);
  expect(draft().text).toBe('');
});

it('undoing the deletion of a draft keeps what was typed since', () => {
  saveMessageDraft(me, LOG, { text: 'deleted' });
  const deleted = draft();
  saveMessageDraft(me, LOG, { text: '' });
  restoreDraft(me, LOG, deleted);
  expect(draft().text).toBe('deleted');
  saveMessageDraft(me, LOG, { text: 'typed since' });
  restoreDraft(me, LOG, deleted);
  expect(draft().text).toBe('deleted\ntyped since');
});
