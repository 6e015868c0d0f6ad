import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const SRC = join(import.meta.dirname, '..');
const AUTO = 'dir="auto"';

/** Elements with padding or children that would change sides with the text. */
const CONTAINERS = new Set(['td', 'th', 'tr', 'li', 'ul', 'ol', 'dl', 'section', 'header', 'article', 'Panel', 'Card']);
/** Elements that user text may contain: its parts, and labels that follow it. */
const PARTS = new Set(['FormattedText', 'MarkedText', 'Edited', 'Text', 'bdi', 'TextButton']);

/** Returns the end of the opening tag that contains `from`: its `>` outside braces. */
function findTagEnd(source: string, from: number): number {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    if (source[at] === '{') depth += 1;
    if (source[at] === '}') depth -= 1;
    if (source[at] === '>' && depth === 0) return at;
  }
  return source.length;
}

function findProblemsAt(source: string, at: number): string[] {
  const tag = /.*<([A-Za-z]\w*)(?=\s)/s.exec(source.slice(0, at))?.[1] ?? '';
  const end = findTagEnd(source, at);
  const container = CONTAINERS.has(tag) ? [`<${tag}> is a container`] : [];
  if (source[end - 1] === '/') return container;
  const content = source.slice(end + 1, source.indexOf(`</${tag}>`, end));
  const elements = [...content.matchAll(/<([A-Za-z]\w*)/g)].map(([, name = '']) => name);
  const foreign = elements.filter((name) => !PARTS.has(name)).map((name) => `<${name}> is not user text`);
  const isFixed = content.trim() !== '' && !content.includes('{');
  return [...container, ...foreign, ...(isFixed ? [`"${content.trim()}" is not user text`] : [])];
}

const findProblems = (source: string): string[] =>
  [...source.matchAll(new RegExp(AUTO, 'g'))].flatMap(({ index }) => findProblemsAt(source, index));

it('only elements that contain nothing but user text take its direction', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const problems = files
    .filter((file) => !file.endsWith('.test.tsx'))
    .flatMap((file) => findProblems(readFileSync(join(SRC, file), 'utf8')).map((problem) => `${file}: ${problem}`));
  expect(files.length).toBeGreaterThan(100);
  expect(problems).toEqual([]);
});

it.each([
  '<td dir="auto">{value}</td>',
  '<Panel key={item.key} id={item.key} dir="auto">{item.content}</Panel>',
  '<Way to={to} dir="auto"><Icon />{name}</Way>',
  '<h3 dir="auto">Agenda</h3>',
])('the check of text direction rejects %s', (source) => {
  expect(findProblems(source)).not.toEqual([]);
});
