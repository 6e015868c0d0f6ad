import { describe, expect, it } from '@jest/globals';
import { findSlowness } from './judge-pattern.ts';

describe('findSlowness', () => {
  it.each([
    // The patterns that once let one request hold a process.
    /\/+$/,
    /[?#][^\s)"'=]*=[^\s)"']*/g,
    /[^\s<>()"'=,;:@]+@[^\s<>()"'=,;:@]+\.[\p{L}\d-]+/gu,
    /[.,;:!?)\]}]+$/,
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    /^\s*(?:a|b)?\s*$/,
    /\s+$/,
    /<[^>]*>/g,
    // Only a longer piece slows these down.
    /\bVersion\/\S+ .*\bSafari\//,
    /started \d+ .*\n/,
    /^key\{([^}]*)\} (\d+)/gm,
    /a(?=.*b)/g,
  ])('finds that %s takes quadratic time', (pattern) => {
    expect(findSlowness(pattern.source, pattern.flags)).toMatch(/quadratic/);
  });

  it.each([/^(a+)+$/, /^(?:\w+\s?)*$/, /^(?:a|aa)+$/])('finds that %s takes exponential time', (pattern) => {
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
  ])('finds nothing in %s', (pattern) => {
    expect(findSlowness(pattern.source, pattern.flags)).toBeUndefined();
  });
});
