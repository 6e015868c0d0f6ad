import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SpecString } from './spec-string.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

// Tests over HTTP and in the browser, and what they are made of; not these lists themselves.
const PLACES = [
  /^tests\/(?!strings\/|contracts\/).*\.ts$/,
  /^(services\/[^/]+|gateway)\/test\/.*\.ts$/,
  /^web\/.*\.test\.tsx?$/,
];

/** A test file as the search reads it: without comments and the names of tests, which assert nothing. */
export type TestFile = { file: string; text: string };

export function testFiles(): TestFile[] {
  return ['tests', 'services', 'gateway/test', 'web/src', 'web/test']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((file) => !file.includes('node_modules/') && PLACES.some((place) => place.test(file)))
    .sort()
    .map((file) => ({ file, text: assertive(readFileSync(join(ROOT, file), 'utf8')) }));
}

/** The files that hold the text literally. A short one must stand alone in its quotation marks: its words are found in many sentences. */
export function filesThatAssert({ text }: SpecString, files: readonly TestFile[]): string[] {
  const pattern = patternOf(text);
  return files.filter((file) => pattern.test(file.text)).map(({ file }) => file);
}

export function assertive(source: string): string {
  return source
    .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
    .replaceAll(/\b(it|test|describe)(\.each)?\(\s*(['"`])(?:(?!\3).)*\3/g, '')
    .replaceAll(/\]\)\(\s*(['"`])(?:(?!\1).)*\1/g, '')
    .replaceAll("\\'", "'");
}

const LONG = 25;

function patternOf(text: string): RegExp {
  const pieces = text
    .split(/\{\w+\}/)
    .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\/]/g, (sign) => `\\\\?\\${sign}`));
  const words = pieces.join('.{1,40}?');
  // One of several texts (`/Save|Update/`) is none of them for certain.
  return text.length >= LONG
    ? new RegExp(`(?<!\\|)${words}(?!\\|)`)
    : new RegExp(`(['"\`]|\\/\\^?)${words}(['"\`]|\\$?\\/)`);
}
