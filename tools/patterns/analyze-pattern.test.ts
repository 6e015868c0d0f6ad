import { describe, expect, it } from '@jest/globals';
import { findSlowness } from './analyze-pattern.ts';

describe('findSlowness', () => {
  it.each([
    // Patterns that caused denial-of-service bugs in the past.
    /\/+$/,
    /[?#][^\s)"'=]*=[^\s)"']*/g,
    /[^\s<>()"'=,;:@]+@[^\s<>()"'=,;:@]+\.[\p{L}\d-]+/gu,
    /[.,;:!?)\]}]+$/,
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    /^\s*(?:a|b)?\s*$/,
    /\s+$/,
    /<[^>]*>/g,
    // These are slow only if several characters are repeated.
    /\bVersion\/\S+ .*\bSafari\//,
    /started \d+ .*\n/,
    /^key\{([^}]*)\} (\d+)/gm,
    /a(?=.*b)/g,
  ])('reports quadratic time for %s', (pattern) => {
    expect(findSlowness(pattern.source, pattern.flags)).toMatch(/quadratic/);
  });

  it.each([/^(a+)+$/, /^(?:\w+\s?)*$/, /^(?:a|aa)+$/])('reports exponential time for %s', (pattern) => {
    expect(findSlowness(pattern.source, pattern.flags)).toMatch(/exponential/);
  });

  it.each([
    /^[0-9a-f]{24}$/,
    /[^\s)"']+/g,
    /\.[\p{L}\d-]+/gu,
    /(?<!\d)\d+$/,
    /^(?:[a-z]+,)*[a-z]+$/,
    /"[^"]*"/g,
    /[\p{Cc}--[\t\n]]/gv,
    /^(?=.*\bVersion\/\S).*\bSafari\//,
  ])('reports nothing for %s', (pattern) => {
    expect(findSlowness(pattern.source, pattern.flags)).toBeUndefined();
  });
});
