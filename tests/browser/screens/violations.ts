import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Finds horizontal scrolling of the page or its main area. Like every check in this file, it returns one line per
 * violation.
 */
export function findHorizontalScroll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')];
    const nestedElements = boxes.flatMap((box) => [...box.querySelectorAll('*')]);
    const scrollers = nestedElements.filter(
      (element) => /auto|scroll/.test(getComputedStyle(element).overflowX) && !element.matches('textarea'),
    );
    const roots = [
      document.documentElement,
      ...document.querySelectorAll('main, [aria-label^="Messages in "]'),
      ...boxes,
      ...scrollers,
    ];
    const scrollingRoots = roots.filter((root) => root.scrollWidth > root.clientWidth);
    if (scrollingRoots.length === 0) return [];
    const limit = document.documentElement.clientWidth;
    const overflowing = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > limit + 1,
    );
    const [root] = scrollingRoots;
    const lastOverflowing = overflowing.at(-1);
    return [
      `scrolls sideways to ${root?.scrollWidth} of ${root?.clientWidth} (${lastOverflowing?.outerHTML.slice(0, 160) ?? root?.tagName})`,
    ];
  });
}

/** Finds content that is cut off horizontally without an ellipsis and without scrolling. */
export function findClippedContent(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const clipsContent = (box: Element) => {
      const { overflowX, textOverflow } = getComputedStyle(box);
      // Ignores a few pixels of a border, and boxes that are only for screen readers.
      return /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && box.clientWidth > 8;
    };
    const isWide = (box: Element) => box.scrollWidth > box.clientWidth + 2;
    return [...document.querySelectorAll('body *')]
      .filter((box) => clipsContent(box) && isWide(box) && box.checkVisibility())
      .map((box) => `cuts its content at ${box.clientWidth} of ${box.scrollWidth}: ${box.outerHTML.slice(0, 160)}`);
  });
}

/** Finds layout, other than text, that follows the direction of a right-to-left text. */
export function findDirectionViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const hasOtherContent = (box: Element) =>
      [...box.querySelectorAll('button, img, svg, li, td, input, [role=option]')].some(
        (part) => part.textContent !== box.textContent,
      );
    return [...document.querySelectorAll('body *')]
      .filter((box) => getComputedStyle(box).direction === 'rtl' && hasOtherContent(box))
      .map((box) => `is laid out from right to left: ${box.outerHTML.slice(0, 160)}`);
  });
}

type AxeResults = {
  violations: {
    id: string;
    impact: string | null;
    help: string;
    nodes: { target: unknown; html: string; failureSummary?: string }[];
  }[];
};

// Generated attributes, which do not help to locate a violation.
const NOISE = / (class|style|id|data-[\w-]+|aria-labelledby|aria-describedby)="[^"]*"/g;

/** Finds serious and critical violations with axe-core. `rules` limits the check to some rules. */
export async function findAxeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    async (only): Promise<AxeResults> => {
      const { axe } = globalThis as unknown as { axe: { run(root: object, options: object): Promise<AxeResults> } };
      // A listbox of suggestions is scrolled with the arrow keys of its input.
      const controlledListboxes = [...document.querySelectorAll('input[aria-controls]')].flatMap((field) => {
        const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
        return list ? [list] : [];
      });
      const rules = { 'scrollable-region-focusable': { enabled: controlledListboxes.length === 0 } };
      return axe.run(document, {
        resultTypes: ['violations'],
        ...(only ? { runOnly: { type: 'rule', values: only } } : { rules }),
      });
    },
    rules && [...rules],
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => {
        const summary = failureSummary.split('\n')[1]?.trim().slice(0, 200);
        return `axe ${impact} ${id}: ${html.replaceAll(NOISE, '').slice(0, 200)} (${summary})`;
      }),
    );
}

/** Finds animations that run despite reduced motion. Progress indicators may rotate. */
export function findMotionViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isAllowed = (property: string) =>
      /color|background|opacity|shadow|outline|fill|stroke|border|none|visibility/.test(property);
    const moving = [...document.querySelectorAll('body *')].filter((element) => {
      if (element.closest('[role=status]')) return false;
      const { transitionDuration, transitionProperty, animationName, animationDuration } = getComputedStyle(element);
      const hasDuration = (list: string) => list.split(',').some((duration) => Number.parseFloat(duration) > 0.011);
      const animates = animationName !== 'none' && hasDuration(animationDuration);
      return animates || (hasDuration(transitionDuration) && !transitionProperty.split(',').every(isAllowed));
    });
    return [...new Set(moving.map((element) => `moves despite reduced motion: ${element.outerHTML.slice(0, 120)}`))];
  });
}

/** Finds focusable elements within `scope` that the Tab key does not reach. */
export async function findUnreachableByTab(page: Page, scope = 'body'): Promise<string[]> {
  const count = await page.evaluate(watchFocus, scope);
  for (let press = 0; press < count + 3; press += 1) await page.keyboard.press('Tab');
  return page.evaluate(readUnreached);
}

type FocusRecord = { expected: Element[]; reached: Set<Element> };

function watchFocus(scope: string): number {
  const isShown = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const roots = [...document.querySelectorAll(scope)];
  const stops =
    roots.at(-1)?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]') ?? [];
  const expected = [...stops]
    .filter((element) => element.tabIndex >= 0 && !element.matches(':disabled') && isShown(element))
    .filter((element) => !element.closest('[inert], [aria-hidden=true]'))
    // Rows of a grid are tab stops; within a row, the arrow keys move focus (ARIA).
    .filter(
      (element) => element.matches('[role=row]') || !element.closest('[role=row]')?.matches('[role=grid] [role=row]'),
    )
    // Radio buttons with one name are a single tab stop.
    .filter((element) => !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked));
  const reached = new Set<Element>(document.activeElement ? [document.activeElement] : []);
  document.addEventListener('focusin', ({ target }) => target instanceof Element && reached.add(target));
  Object.assign(globalThis, { focusRecord: { expected, reached } satisfies FocusRecord });
  return expected.length;
}

function readUnreached(): string[] {
  const { expected, reached } = (globalThis as unknown as { focusRecord: FocusRecord }).focusRecord;
  return expected
    .filter((element) => element.isConnected && !reached.has(element))
    .map((element) => `Tab does not reach ${element.outerHTML.slice(0, 160)}`);
}
