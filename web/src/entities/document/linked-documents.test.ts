import { describe, expect, it } from '@jest/globals';
import { findLinkedDocuments } from './linked-documents.ts';

const ORIGIN = 'https://atrium.example.org';
const ONE = 'a'.repeat(24);
const TWO = 'b'.repeat(24);
const find = (text: string) => findLinkedDocuments(text, ORIGIN);

describe('findLinkedDocuments', () => {
  it('returns each linked document once, without punctuation after the link', () => {
    expect(find(`See ${ORIGIN}/documents?preview=${ONE}.`)).toEqual([ONE]);
    expect(find(`(${ORIGIN}/documents?search=plan&share=${TWO}) and ${ORIGIN}/documents?preview=${ONE}, `)).toEqual([
      TWO,
      ONE,
    ]);
    expect(find(`${ORIGIN}/documents?preview=${ONE} ${ORIGIN}/documents?versions=${ONE}`)).toEqual([ONE]);
  });

  it('ignores links to other sites, other pages, and invalid ids', () => {
    expect(find(`https://elsewhere.example.org/documents?preview=${ONE}`)).toEqual([]);
    expect(find(`${ORIGIN}/projects?preview=${ONE}`)).toEqual([]);
    expect(find(`${ORIGIN}/documents?preview=nothing`)).toEqual([]);
    expect(find(`${ORIGIN}/documents?preview=${ONE}0`)).toEqual([]);
    expect(find(`documents?preview=${ONE}`)).toEqual([]);
  });

  it('returns at most five documents', () => {
    const links = Array.from({ length: 9 }, (_, n) => `${ORIGIN}/documents?preview=${String(n).repeat(24)}`);
    expect(find(links.join(' '))).toHaveLength(5);
  });
});
