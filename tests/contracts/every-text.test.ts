import { describe, expect, it } from '@jest/globals';
import { assertive, filesThatAssert, testFiles } from '../strings/coverage.ts';
import { STRINGS } from '../strings/strings.ts';

const files = testFiles();
const ours = STRINGS.filter(({ owner }) => owner === 'people');

describe('every text of the specification about accounts, people, departments, projects and tasks', () => {
  it.each(ours.map((entry) => [`${entry.shown}: ${entry.text}`, entry] as const))(
    'is asserted to the letter by a test of the running product: %s',
    (_name, entry) => {
      expect(filesThatAssert(entry, files)).not.toEqual([]);
    },
  );

  it('stands once for each place', () => {
    const places = STRINGS.map(({ section, shown, text }) => `${section} ${shown} ${text}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });
});

describe('the search for a text', () => {
  const found = (text: string, source: string) =>
    filesThatAssert({ section: '2', shown: '', owner: 'people', text }, [{ file: 'a', text: assertive(source) }])
      .length > 0;

  it('finds a sentence with what the product puts in', () => {
    expect(found('Progress cannot decrease from {X}% to {Y}%', `'Progress cannot decrease from 40% to 20%'`)).toBe(
      true,
    );
    expect(found('Welcome to the team, {name}! Good day.', `'Welcome to the team, Lena! Good day.'`)).toBe(true);
    expect(found('Oops! Page not found', '/^Oops! Page not found$/')).toBe(true);
  });

  it('takes neither a word within a sentence, one of several, a comment nor the name of a test for it', () => {
    expect(found('Sign In', `'Please Sign In first'`)).toBe(false);
    expect(found('Create Your First Project', '/New Project|Create Your First Project/')).toBe(false);
    expect(found('Passwords do not match each other', `// 'Passwords do not match each other'`)).toBe(false);
    expect(found('Passwords do not match', `it('Passwords do not match', () => {})`)).toBe(false);
  });
});
