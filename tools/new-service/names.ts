export interface Names {
  plural: string;
  singular: string;
  Plural: string;
  Singular: string;
}

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const deriveNames = (plural: string): Names => {
  if (!/^[a-z]{3,20}s$/.test(plural)) {
    throw new Error(`A service name is one lower-case plural, such as "polls"; "${plural}" is not.`);
  }
  const singular = plural.endsWith('ies') ? `${plural.slice(0, -3)}y` : plural.slice(0, -1);
  return { plural, singular, Plural: capitalize(plural), Singular: capitalize(singular) };
};

export const fillTemplate = (template: string, { plural, singular, Plural, Singular }: Names): string =>
  template
    .replaceAll('things', plural)
    .replaceAll('Things', Plural)
    .replaceAll('thing', singular)
    .replaceAll('Thing', Singular);

/** An insertion into a file: the text that `insert` returns follows the first match of `after`. */
export interface Entry {
  file: string;
  after: RegExp;
  insert: (names: Names, match: RegExpExecArray) => string;
}
