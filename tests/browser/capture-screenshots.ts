import { type Person, shoot } from './person.ts';

/** Keeps pictures of what is seen on a telephone and on a desk, by day and by night, and leaves the window as it was. */
export async function shootEverywhere(person: Person, step: string): Promise<void> {
  const { page } = person;
  const before = page.viewportSize();
  for (const width of [390, 1_440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const scheme of ['light', 'dark']) {
      await page.evaluate((theme) => document.documentElement.setAttribute('data-theme', theme), scheme);
      await page.evaluate(finishTransitions);
      await shoot(person, `${step}-${width}-${scheme}`);
    }
  }
  if (before) await page.setViewportSize(before);
}

/** The colors of a theme change in transitions. */
function finishTransitions(): Promise<unknown> {
  const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
  return Promise.allSettled(transitions.map(({ finished }) => finished));
}
