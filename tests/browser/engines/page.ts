import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { waitFor } from '@atrium/test-kit/wait-for';
import type { Window } from './engine.ts';

type Role =
  | 'alertdialog'
  | 'article'
  | 'button'
  | 'dialog'
  | 'heading'
  | 'link'
  | 'menuitem'
  | 'navigation'
  | 'radio'
  | 'row'
  | 'tab'
  | 'textbox'
  | 'tooltip';
type Named = { name?: string | RegExp; exact?: boolean };

/** The subset of a Playwright locator that the scenarios need. */
export type Place<P> = {
  getByRole(role: Role, options?: Named): P;
  first(): P;
  click(): Promise<void>;
  focus(): Promise<void>;
  waitFor(): Promise<void>;
};

/** The subset of a Playwright page that the scenarios need. */
export type PageLike<P extends Place<P>> = {
  getByRole(role: Role, options?: Named): P;
  keyboard: { press(key: string): Promise<void> };
};

/** An element in any browser, found by role and accessible name like assistive technology does. */
export interface PageElement extends Place<PageElement> {
  fill(text: string): Promise<void>;
  count(): Promise<number>;
}

export type EnginePage = PageLike<PageElement> & { window: Window };

const LIBRARY = readFileSync(
  createRequire(import.meta.url)
    .resolve('@testing-library/dom')
    .replace(/index\.js$/, '@testing-library/dom.umd.min.js'),
  'utf8',
);

type Step = { role: Role; pattern?: string; flags?: string };

const literally = (words: string) => words.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function stepOf(role: Role, { name, exact = false }: Named = {}): Step {
  if (name === undefined) return { role };
  if (name instanceof RegExp) return { role, pattern: name.source, flags: name.flags };
  return exact ? { role, pattern: `^${literally(name)}$`, flags: '' } : { role, pattern: literally(name), flags: 'i' };
}

/** The script that sets `found` to all matches. */
const searchFor = (steps: readonly Step[]): string => `
  const steps = ${JSON.stringify(steps)};
  let found = [document.body];
  for (const { role, pattern, flags } of steps) {
    // Visibility is checked for the matches only, which is much faster.
    const options = { hidden: true, ...(pattern === undefined ? {} : { name: new RegExp(pattern, flags) }) };
    found = [...new Set(found.flatMap((root) => globalThis.TestingLibraryDom.queryAllByRole(root, role, options)))];
  }
  found = found.filter(
    (one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[aria-hidden=true], [inert]'),
  );`;

/** A page in any browser, used through roles and names. */
export function pageIn(window: Window): EnginePage {
  const bring = async () => {
    const isThere = await window.run<boolean>('return Boolean(globalThis.TestingLibraryDom)');
    if (!isThere) await window.run(`${LIBRARY}\nglobalThis.TestingLibraryDom ??= this.TestingLibraryDom;`);
  };
  const seek = (steps: readonly Step[]): PageElement => {
    const what = JSON.stringify(steps);
    const element = () =>
      waitFor(
        async () => {
          await bring();
          return (await window.find(`${searchFor(steps)} return found[0] ?? null;`)) ?? undefined;
        },
        { description: `${what} on the page`, timeoutMs: 30_000, intervalMs: 100 },
      );
    return {
      getByRole: (role, options) => seek([...steps, stepOf(role, options)]),
      first: () => seek(steps),
      click: async () => (await element()).click(),
      waitFor: async () => void (await element()),
      fill: async (text) => (await element()).type(text),
      async focus() {
        await element();
        await window.run(`${searchFor(steps)} found[0].focus();`);
      },
      async count() {
        await bring();
        return window.run(`${searchFor(steps)} return found.length;`);
      },
    };
  };
  return {
    window,
    getByRole: (role, options) => seek([stepOf(role, options)]),
    keyboard: { press: (key) => window.press(key) },
  };
}
