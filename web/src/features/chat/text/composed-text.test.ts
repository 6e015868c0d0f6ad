import { describe, expect, it } from '@jest/globals';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { type ComposedText, fromContent, insertMention, joinLines, toContent, withText } from './composed-text.ts';

const user = (letter: string, firstName: string, lastName: string) => ({ _id: letter.repeat(24), firstName, lastName });
const ann = user('a', 'Ann', 'Lee');
const otherAnn = user('b', 'Ann', 'Lee');
const nguyen = user('c', 'Nguyễn', 'Thị Hương');
const sara = user('d', 'שרה', 'כהן');
const labels = labelsOf({ users: [ann, otherAnn, nguyen, sara], groups: [] });
const token = ({ _id }: { _id: string }) => `<@${_id}>`;

/** Inserts a user at the end, as if it was chosen from the list. */
function insert(composed: ComposedText, chosen: typeof ann): ComposedText {
  const { length } = composed.text;
  const label = labels[token(chosen)] ?? '';
  return insertMention(composed, { from: length, to: length, text: label, token: token(chosen) }).composed;
}

describe('the text of a message with mentions', () => {
  it.each([
    ['Hebrew', `שלום ${token(sara)}, מה שלומך?`, 'שלום @שרה כהן, מה שלומך?'],
    ['Vietnamese', `chào ${token(nguyen)}!`, 'chào @Nguyễn Thị Hương!'],
    ['equal', `${token(ann)} and ${token(otherAnn)}`, '@Ann Lee and @Ann Lee'],
    ['group', '<@here> or <@everyone>?', '@here or @everyone?'],
  ])('shows %s names, and becomes the same content again', (_kind, content, text) => {
    const composed = fromContent(content, labels);
    expect(composed.text).toBe(text);
    expect(toContent(composed)).toBe(content);
  });

  it('keeps the token of a user whose name is unknown', () => {
    const content = `ask ${token(user('e', '', ''))}`;
    expect(fromContent(content, labels).text).toBe('ask @unknown');
    expect(toContent(fromContent(content, labels))).toBe(content);
  });

  it('shows tokens in code as they are, and does not mention a user in code', () => {
    const content = `\`${token(ann)}\``;
    expect(fromContent(content, labels)).toEqual({ text: content, mentions: [] });
    const inserted = insert({ text: '' }, ann);
    const typed = withText(withText(inserted, `\`${inserted.text}`, 1), `\`${inserted.text}\``, 10);
    expect(toContent(typed)).toBe('`@Ann Lee `');
  });

  it('never turns typed text into a mention, even if it equals an inserted name', () => {
    const inserted = insert({ text: '@Ann Lee, ' }, ann);
    expect(toContent(withText(inserted, `${inserted.text}@Ann Lee`, 27))).toBe(`@Ann Lee, ${token(ann)} @Ann Lee`);
  });

  it('moves mentions with the text before them', () => {
    const inserted = insert(insert({ text: 'hi ' }, ann), nguyen);
    const changed = withText(inserted, `oh, ${inserted.text}?`.replace('?', ''), 4);
    expect(toContent(changed)).toBe(`oh, hi ${token(ann)} ${token(nguyen)} `);
    expect(toContent(withText(changed, `${changed.text}?`, changed.text.length + 1))).toMatch(/> \?$/);
  });

  it('has one mention less when its name is edited', () => {
    const inserted = insert(insert({ text: '' }, ann), otherAnn);
    expect(toContent(withText(inserted, '@Ann Le @Ann Lee ', 7))).toBe(`@Ann Le ${token(otherAnn)} `);
    expect(toContent(withText(inserted, '@Anna Lee @Ann Lee ', 5))).toBe(`@Anna Lee ${token(otherAnn)} `);
  });

  it('keeps the other of two users with the same name when one is deleted', () => {
    const inserted = insert(insert({ text: '' }, ann), otherAnn);
    expect(toContent(withText(inserted, '@Ann Lee ', 0))).toBe(`${token(otherAnn)} `);
    expect(toContent(withText(inserted, '@Ann Lee ', 9))).toBe(`${token(ann)} `);
  });

  it('keeps a mention that is followed by punctuation', () => {
    const inserted = insert({ text: '' }, ann);
    expect(toContent(withText(inserted, '@Ann Lee, ', 9))).toBe(`${token(ann)}, `);
  });

  it('keeps mentions on both lines when a text is returned above another', () => {
    const joined = joinLines(fromContent(`one ${token(ann)}`, labels), insert({ text: 'two ' }, sara));
    expect(toContent(joined)).toBe(`one ${token(ann)}\ntwo ${token(sara)} `);
  });
});
