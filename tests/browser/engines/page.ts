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
type NameOptions = { name?: string | RegExp; exact?: boolean };

/** The subset of a Playwright locator that the scenarios need. */
export type ElementLike<P> = {
  getByRole(role: Role, options?: NameOptions): P;
  first(): P;
  click(): Promise<void>;
  focus(): Promise<void>;
  waitFor(): Promise<void>;
};

/** The subset of a Playwright page that the scenarios need. */
export type PageLike<P extends ElementLike<P>> = {
  getByRole(role: Role, options?: NameOptions): P;
  keyboard: { press(key: string): Promise<void> };
};

/** An element in any browser, found by role and accessible name like assistive technology does. */
export interface PageElement extends ElementLike<PageElement> {
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

const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function createStep(role: Role, { name, exact = false }: NameOptions = {}): Step {
  if (name === undefined) return { role };
  if (name instanceof RegExp) return { role, pattern: name.source, flags: name.flags };
  return exact
    ? { role, pattern: `^${escapeRegExp(name)}$`, flags: '' }
    : { role, pattern: escapeRegExp(name), flags: 'i' };
}

/** Returns a script that sets `found` to all matches. */
const searchScript = (steps: readonly Step[]): string => `
  const steps = ${JSON.stringify(steps)};
  let found = [document.body];
  for (const { role, pattern, flags } of steps) {
    // Visibility is checked for the matches only, which is much faster.
    const options = { hidden: true, ...(pattern === undefined ? {} : { name: new RegExp(pattern, flags) }) };
    found = [...new Set(found.flatMap((root) => globalThis.TestingLibraryDom.queryAllByRole(root, role, options)))];
  }
  found = found.filter(
    (element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]'),
  );`;

/** Wraps a window of any browser as a page whose elements are found by roles and names. */
export function createEnginePage(window: Window): EnginePage {
  const ensureLibrary = async () => {
    const isLoaded = await window.run<boolean>('return Boolean(globalThis.TestingLibraryDom)');
    if (!isLoaded) await window.run(`${LIBRARY}\nglobalThis.TestingLibraryDom ??= this.TestingLibraryDom;`);
  };
  const locate = (steps: readonly Step[]): PageElement => {
    const description = JSON.stringify(steps);
    const element = () =>
      waitFor(
        async () => {
          await ensureLibrary();
          return (await window.find(`${searchScript(steps)} return found[0] ?? null;`)) ?? undefined;
        },
        { description: `${description} on the page`, timeoutMs: 30_000, intervalMs: 100 },
      );
    return {
      getByRole: (role, options) => locate([...steps, createStep(role, options)]),
      first: () => locate(steps),
      click: async () => (await element()).click(),
      waitFor: async () => void (await element()),
      fill: async (text) => (await element()).type(text),
      async focus() {
        await element();
        await window.run(`${searchScript(steps)} found[0].focus();`);
      },
      async count() {
        await ensureLibrary();
        return window.run(`${searchScript(steps)} return found.length;`);
      },
    };
  };
  return {
    window,
    getByRole: (role, options) => locate([createStep(role, options)]),
    keyboard: { press: (key) => window.press(key) },
  };
}
