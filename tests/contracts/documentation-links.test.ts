import { readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { listRepositoryFiles } from '@atrium/tools/repository-files';
import { describe, expect, it } from '@jest/globals';
import { exists, ROOT, read } from './sources.ts';

const FILES = listRepositoryFiles();
const PAGES = FILES.filter((path) => path.endsWith('.md'));
const CODE = FILES.filter((path) =>
  /\.(?:[cm]?[jt]sx?|json|ya?ml|sql|sh|env|ini|conf|css|html|txt|example)$/.test(path),
);

type Line = { number: number; text: string };

const splitLines = (content: string): Line[] => content.split('\n').map((text, index) => ({ number: index + 1, text }));

/** Returns the lines of Markdown outside fenced code blocks. */
function listProseLines(markdown: string): Line[] {
  let isCode = false;
  return splitLines(markdown).filter(({ text }) => {
    const isFence = /^ *(?:```|~~~)/.test(text);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
}

const removeInlineCode = (text: string): string =>
  text
    .split('`')
    .filter((_, index) => index % 2 === 0)
    .join('');
const listInlineCode = (text: string): string[] => text.split('`').filter((_, index) => index % 2 === 1);

/** Returns the targets of the links and images in a line. */
const listTargets = (text: string): string[] =>
  removeInlineCode(text)
    .split('](')
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(')')).split(' ')[0] ?? '');

/** Returns a heading's text without link targets. */
const removeTargets = (text: string): string =>
  text
    .split('](')
    .map((part, index) => (index === 0 ? part : part.slice(part.indexOf(')') + 1)))
    .join('');

/** Lists anchors as GitHub generates them: a repeated heading gets a number. */
function listAnchors(markdown: string): Set<string> {
  const counts = new Map<string, number>();
  const anchors = new Set<string>();
  for (const { text } of listProseLines(markdown)) {
    const heading = /^#{1,6} +(\S.*)$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const slug = removeTargets(heading)
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}

const fileNames = new Set(FILES.map((path) => basename(path)));
const anchors = new Map(PAGES.map((page) => [page, listAnchors(read(page))]));

/** Whether a path from the repository root exists, with its anchor if it has one. */
function resolves(path: string, anchor: string | undefined): boolean {
  if (path.startsWith('..') || !exists(path)) return false;
  return anchor === undefined || anchors.get(path)?.has(anchor) === true;
}

function resolvesFrom(page: string, target: string): boolean {
  const [path = '', anchor] = decodeURI(target).split('#');
  return resolves(path === '' ? page : normalize(join(dirname(page), path)), anchor);
}

const isExternal = (target: string): boolean => /^[a-z]+:/.test(target);

/** Returns `file:line: text` for every text that `find` returns. */
const report = (file: string, lines: Line[], find: (text: string) => string[]): string[] =>
  lines.flatMap(({ number, text }) => find(text).map((match) => `${file}:${number}: ${match}`));

// The path of another repository's page has a slash before `docs/`, and is not matched.
const PAGE_IN_CODE = /(?<![\w/.-])(?:\.{1,2}\/)*(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g;
const DECISION_IN_CODE = /docs\/decisions\/(\d{4})/g;
/** Names in camel case, Pascal case, and upper case. */
const IDENTIFIER = /^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:\(\))?$/;
const EXTERNAL_TERMS = [
  ...['CrashLoopBackOff', 'podCIDR', 'ScrollRestoration'],
  ...['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_HEADERS'],
  // The names of secrets during a rotation are composed.
  ...['NATS_CHAT_PASSWORD_NEXT', 'S3_DOCUMENTS_ACCESS_KEY_CLOSED'],
];
const FILE_NAME_IN_PROSE = /^[\w.-]+\.(?:tsx?|mjs)$/;
const FILE_IN_PROSE = /^(?:deploy|docs|gateway|packages|proto-events|services|tests|tools|web)\/[\w./-]+\.[a-z]{2,4}$/;

describe('documentation', () => {
  it('contains only links and anchors that resolve', () => {
    const findBroken = (page: string) => (text: string) =>
      listTargets(text).filter((target) => !isExternal(target) && !resolvesFrom(page, target));
    expect(PAGES.flatMap((page) => report(page, listProseLines(read(page)), findBroken(page)))).toEqual([]);
  });

  it('mentions only files that exist', () => {
    const findMissing = (text: string) =>
      listInlineCode(text).filter(
        (word) =>
          (FILE_IN_PROSE.test(word) && !exists(word)) || (FILE_NAME_IN_PROSE.test(word) && !fileNames.has(word)),
      );
    expect(PAGES.flatMap((page) => report(page, listProseLines(read(page)), findMissing))).toEqual([]);
  });

  it('mentions only identifiers that exist', () => {
    const known = new Set([...EXTERNAL_TERMS, ...CODE.flatMap((file) => read(file).match(/[a-z_$][\w$]*/gi) ?? [])]);
    const findUnknown = (text: string) =>
      listInlineCode(text).filter((word) => IDENTIFIER.test(word) && !known.has(word.replace('()', '')));
    expect(PAGES.flatMap((page) => report(page, listProseLines(read(page)), findUnknown))).toEqual([]);
  });

  it('has the pages and anchors that code, manifests, and alerts refer to', () => {
    const findBroken = (text: string) =>
      [...text.matchAll(PAGE_IN_CODE)]
        .filter(([, path = '', anchor]) => !resolves(path, anchor))
        .map(([whole]) => whole);
    expect(CODE.flatMap((file) => report(file, splitLines(read(file)), findBroken))).toEqual([]);
  });

  it('has the decisions that code refers to by number', () => {
    const numbers = new Set(readdirSync(join(ROOT, 'docs/decisions')).map((name) => name.slice(0, 4)));
    const findBroken = (text: string) =>
      [...text.matchAll(DECISION_IN_CODE)].filter(([, number = '']) => !numbers.has(number)).map(([whole]) => whole);
    expect(CODE.flatMap((file) => report(file, splitLines(read(file)), findBroken))).toEqual([]);
  });

  it('has a README of at most 90 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(90);
  });

  it('is checked for anchors as GitHub generates them', () => {
    const page = '# The `A_B`, [c](d.md) & e\n## Steps\n## Steps\n```sh\n# comment\n```';
    expect([...listAnchors(page)]).toEqual(['the-a_b-c--e', 'steps', 'steps-1']);
  });
});
