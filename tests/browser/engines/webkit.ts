import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { freePort } from '@atrium/test-kit/free-port';
import { waitFor } from '@atrium/test-kit/wait-for';
import { Builder, Key, type WebDriver } from 'selenium-webdriver';
import type { Engine, Window } from './engine.ts';

type Installed = { driver: string; screen: string | undefined };

/**
 * Starts WebKitGTK through its own driver, with a virtual display if there is none. A driver has one window, so each
 * window has a separate driver.
 */
export async function launchWebkit({ driver, screen }: Installed): Promise<Engine> {
  const started: ChildProcess[] = [];
  const stopAll = () => {
    for (const child of started.reverse()) child.kill('SIGTERM');
  };
  const startSession = async (display: string): Promise<WebDriver> => {
    const port = await freePort();
    const env = { ...process.env, DISPLAY: display };
    started.push(spawn(driver, ['--host=127.0.0.1', `--port=${port}`], { env, stdio: 'ignore' }));
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${url}/status`).catch(() => undefined))?.ok, {
      description: 'the WebKit driver',
    });
    return new Builder().usingServer(url).withCapabilities({ browserName: 'MiniBrowser' }).build();
  };
  try {
    const display = process.env.DISPLAY ?? (await startVirtualDisplay(screen ?? 'Xvfb', started));
    const firstSession = await startSession(display);
    const version = String((await firstSession.getCapabilities()).get('browserVersion'));
    await firstSession.quit();
    return {
      version: `WebKitGTK ${version}`,
      open: async () => openWindow(await startSession(display)),
      close: async () => stopAll(),
    };
  } catch (error) {
    stopAll();
    throw error;
  }
}

async function startVirtualDisplay(file: string, started: ChildProcess[]): Promise<string> {
  const child = spawn(file, ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  started.push(child);
  const [number] = await once(child.stdio[3] as Readable, 'data');
  return `:${String(number).trim()}`;
}

// A classic WebDriver reports no page errors, so the page records them.
const RECORD_ERRORS = `
  if (!globalThis.atriumErrors) {
    const errors = (globalThis.atriumErrors = []);
    const report = console.error;
    console.error = (...words) => { errors.push('console: ' + words.map(String).join(' ')); report(...words); };
    addEventListener('error', ({ message }) => errors.push('uncaught: ' + message));
    addEventListener('unhandledrejection', ({ reason }) => errors.push('uncaught: ' + reason));
  }`;

function openWindow(page: WebDriver): Window {
  return {
    async goto(url) {
      await page.get(url);
      await page.executeScript(RECORD_ERRORS);
    },
    run: (script) => page.executeScript(script),
    async find(script) {
      const element = await page.executeScript<import('selenium-webdriver').WebElement | null>(script);
      return element && { click: () => element.click(), type: (text) => element.sendKeys(text) };
    },
    press: (key) =>
      page
        .actions()
        .sendKeys(KEYS[key] ?? key)
        .perform(),
    resize: (width, height) => page.manage().window().setRect({ width, height, x: 0, y: 0 }) as Promise<never>,
    screenshot: async (file) => writeFileSync(file, await page.takeScreenshot(), 'base64'),
    errors: () => page.executeScript('return (globalThis.atriumErrors ?? []).splice(0)'),
    close: () => page.quit(),
  };
}

const KEYS: Readonly<Record<string, string>> = { Escape: Key.ESCAPE, Enter: Key.ENTER, Tab: Key.TAB };
