import type { Page } from 'playwright-core';

/** Checks of a page; each returns a text per violation that locates it. */

/** Horizontal scrolling of the page or its main area. */
export function findHorizontalScroll(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')];
    const inner = boxes.flatMap((box) => [...box.querySelectorAll('*')]);
    const scrollers = inner.filter(
      (one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && !one.matches('textarea'),
    );
    const roots = [
      document.documentElement,
      ...document.querySelectorAll('main, [aria-label^="Messages in "]'),
      ...boxes,
      ...scrollers,
    ];
    const wide = roots.filter((root) => root.scrollWidth > root.clientWidth);
    if (wide.length === 0) return [];
    const limit = document.documentElement.clientWidth;
    const out = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > limit + 1);
    const [root] = wide;
    const outmost = out.at(-1);
    return [
      `scrolls sideways to ${root?.scrollWidth} of ${root?.clientWidth} (${outmost?.outerHTML.slice(0, 160) ?? root?.tagName})`,
    ];
  });
}

/** Content that is cut off horizontally without an ellipsis and without scrolling. */
export function findClippedContent(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (box: Element) => {
      const { overflowX, textOverflow } = getComputedStyle(box);
      // A few pixels of a border, and boxes for screen readers only, do not count.
      return /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis' && box.clientWidth > 8;
    };
    const isWide = (box: Element) => box.scrollWidth > box.clientWidth + 2;
    return [...document.querySelectorAll('body *')]
      .filter((box) => isCut(box) && isWide(box) && box.checkVisibility())
      .map((box) => `cuts its content at ${box.clientWidth} of ${box.scrollWidth}: ${box.outerHTML.slice(0, 160)}`);
  });
}

/** Layout that follows the direction of a right-to-left text, other than the text itself. */
export function findDirectionViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const holdsMore = (box: Element) =>
      [...box.querySelectorAll('button, img, svg, li, td, input, [role=option]')].some(
        (part) => part.textContent !== box.textContent,
      );
    return [...document.querySelectorAll('body *')]
      .filter((box) => getComputedStyle(box).direction === 'rtl' && holdsMore(box))
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

// Generated attributes that do not help a reader.
const NOISE = / (class|style|id|data-[\w-]+|aria-labelledby|aria-describedby)="[^"]*"/g;

/** Serious and critical violations of axe-core; `rules` limits it to those that a theme change can affect. */
export async function findAxeViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
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
        const why = failureSummary.split('\n')[1]?.trim().slice(0, 200);
        return `axe ${impact} ${id}: ${html.replaceAll(NOISE, '').slice(0, 200)} (${why})`;
      }),
    );
}

/** Animations that run despite reduced motion; progress indicators may rotate. */
export function findMotionViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCalm = (property: string) =>
      /color|background|opacity|shadow|outline|fill|stroke|border|none|visibility/.test(property);
    const moving = [...document.querySelectorAll('body *')].filter((one) => {
      if (one.closest('[role=status]')) return false;
      const { transitionDuration, transitionProperty, animationName, animationDuration } = getComputedStyle(one);
      const lasts = (list: string) => list.split(',').some((each) => Number.parseFloat(each) > 0.011);
      const animates = animationName !== 'none' && lasts(animationDuration);
      return animates || (lasts(transitionDuration) && !transitionProperty.split(',').every(isCalm));
    });
    return [...new Set(moving.map((one) => `moves despite reduced motion: ${one.outerHTML.slice(0, 120)}`))];
  });
}

/** Focusable elements within `scope` that the Tab key does not reach. */
export async function findUnreachableByTab(page: Page, scope = 'body'): Promise<string[]> {
  const count = await page.evaluate(watchFocus, scope);
  for (let press = 0; press < count + 3; press += 1) await page.keyboard.press('Tab');
  return page.evaluate(readUnreached);
}

type Watched = { wanted: Element[]; reached: Set<Element> };

function watchFocus(scope: string): number {
  const isShown = (one: HTMLElement) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const roots = [...document.querySelectorAll(scope)];
  const stops =
    roots.at(-1)?.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, [tabindex]') ?? [];
  const wanted = [...stops]
    .filter((one) => one.tabIndex >= 0 && !one.matches(':disabled') && isShown(one))
    .filter((one) => !one.closest('[inert], [aria-hidden=true]'))
    // Rows of a grid are tab stops; within a row the arrow keys move (ARIA).
    .filter((one) => one.matches('[role=row]') || !one.closest('[role=row]')?.matches('[role=grid] [role=row]'))
    // Radio buttons with one name are a single tab stop.
    .filter((one) => !(one instanceof HTMLInputElement && one.type === 'radio' && !one.checked));
  const reached = new Set<Element>(document.activeElement ? [document.activeElement] : []);
  document.addEventListener('focusin', ({ target }) => target instanceof Element && reached.add(target));
  Object.assign(globalThis, { watched: { wanted, reached } satisfies Watched });
  return wanted.length;
}

function readUnreached(): string[] {
  const { wanted, reached } = (globalThis as unknown as { watched: Watched }).watched;
  return wanted
    .filter((one) => one.isConnected && !reached.has(one))
    .map((one) => `Tab does not reach ${one.outerHTML.slice(0, 160)}`);
}
