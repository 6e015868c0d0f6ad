import { describe, expect, it } from '@jest/globals';
import { namedDocuments } from './linked-documents.ts';

const ORIGIN = 'https://atrium.example.org';
const [ONE, TWO] = ['a'.repeat(24), 'b'.repeat(24)];
const of = (text: string) => namedDocuments(text, ORIGIN);

describe('the documents that a text names', () => {
  it('are those that its addresses of the hub lead to, each once, whatever ends the sentence', () => {
    expect(of(`See ${ORIGIN}/documents?preview=${ONE}.`)).toEqual([ONE]);
    expect(of(`(${ORIGIN}/documents?search=plan&share=${TWO}) and ${ORIGIN}/documents?preview=${ONE}, `)).toEqual([
      TWO,
      ONE,
    ]);
    expect(of(`${ORIGIN}/documents?preview=${ONE} ${ORIGIN}/documents?versions=${ONE}`)).toEqual([ONE]);
  });

  it('are not those of another place, of no document, or of no address', () => {
    expect(of(`https://elsewhere.example.org/documents?preview=${ONE}`)).toEqual([]);
    expect(of(`${ORIGIN}/projects?preview=${ONE}`)).toEqual([]);
    expect(of(`${ORIGIN}/documents?preview=nothing`)).toEqual([]);
    expect(of(`${ORIGIN}/documents?preview=${ONE}0`)).toEqual([]);
    expect(of(`documents?preview=${ONE}`)).toEqual([]);
  });

  it('are five at most', () => {
    const many = Array.from({ length: 9 }, (_, n) => `${ORIGIN}/documents?preview=${String(n).repeat(24)}`);
    expect(of(many.join(' '))).toHaveLength(5);
  });
});
