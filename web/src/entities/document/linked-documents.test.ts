import { describe, expect, it } from '@jest/globals';
import { findLinkedDocuments } from './linked-documents.ts';

const ORIGIN = 'https://atrium.example.org';
const [ONE, TWO] = ['a'.repeat(24), 'b'.repeat(24)];
const of = (text: string) => findLinkedDocuments(text, ORIGIN);

describe('findLinkedDocuments', () => {
  it('returns each linked document once, whatever punctuation follows the link', () => {
    expect(of(`See ${ORIGIN}/documents?preview=${ONE}.`)).toEqual([ONE]);
    expect(of(`(${ORIGIN}/documents?search=plan&share=${TWO}) and ${ORIGIN}/documents?preview=${ONE}, `)).toEqual([
      TWO,
      ONE,
    ]);
    expect(of(`${ORIGIN}/documents?preview=${ONE} ${ORIGIN}/documents?versions=${ONE}`)).toEqual([ONE]);
  });

  it('ignores links to other sites, other pages, and invalid ids', () => {
    expect(of(`https://elsewhere.example.org/documents?preview=${ONE}`)).toEqual([]);
    expect(of(`${ORIGIN}/projects?preview=${ONE}`)).toEqual([]);
    expect(of(`${ORIGIN}/documents?preview=nothing`)).toEqual([]);
    expect(of(`${ORIGIN}/documents?preview=${ONE}0`)).toEqual([]);
    expect(of(`documents?preview=${ONE}`)).toEqual([]);
  });

  it('returns at most five documents', () => {
    const many = Array.from({ length: 9 }, (_, n) => `${ORIGIN}/documents?preview=${String(n).repeat(24)}`);
    expect(of(many.join(' '))).toHaveLength(5);
  });
});
