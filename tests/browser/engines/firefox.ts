import puppeteer, { type ElementHandle, type KeyInput } from 'puppeteer-core';
import type { Engine, Window } from './engine.ts';

/** Starts headless Firefox through WebDriver BiDi. */
export async function launchFirefox(executablePath: string): Promise<Engine> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, headless: true });
  return {
    version: await browser.version(),
    open: async () => openWindow(await browser.createBrowserContext()),
    close: () => browser.close(),
  };
}

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof puppeteer.launch>>['createBrowserContext']>>;

async function openWindow(context: Context): Promise<Window> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => errors.push(`uncaught: ${error instanceof Error ? error.message : error}`));
  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'load' })),
    run: <T>(script: string) => page.evaluate(`(() => { ${script} })()`) as Promise<T>,
    async find(script) {
      const handle = await page.evaluateHandle(`(() => { ${script} })()`);
      const element = handle.asElement() as ElementHandle<Element> | null;
      return element && { click: () => element.click(), type: (text) => element.type(text) };
    },
    press: (key) => page.keyboard.press(key as KeyInput),
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async (file) => void (await page.screenshot({ path: file as `${string}.png` })),
    errors: async () => errors.splice(0),
    close: () => context.close(),
  };
}
