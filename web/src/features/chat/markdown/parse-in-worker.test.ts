import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { parseInWorker, type Tree } from './parse-in-worker.ts';

/** Responds when the test says so. */
class WorkerMock {
  static readonly created: WorkerMock[] = [];
  onmessage: ((event: { data: readonly Tree[] }) => void) | null = null;
  onerror: ((event: { preventDefault: () => void }) => void) | null = null;
  isTerminated = false;
  texts: readonly string[] = [];
  constructor() {
    WorkerMock.created.push(this);
  }
  postMessage(texts: readonly string[]): void {
    this.texts = texts;
  }
  terminate(): void {
    this.isTerminated = true;
  }
  answer(): void {
    this.onmessage?.({ data: this.texts.map(() => ({ type: 'root', children: [] })) });
  }
}

const original = globalThis.Worker;

beforeEach(() => {
  WorkerMock.created.length = 0;
  Object.assign(globalThis, { Worker: WorkerMock });
});
afterEach(() => {
  Object.assign(globalThis, { Worker: original });
});

const parsingNow = () => WorkerMock.created.at(-1)?.texts;
const answer = () => WorkerMock.created.at(-1)?.answer();

it('texts are parsed in one worker, sequentially, urgent ones first', async () => {
  const slow = ['one', 'two', 'three'].map((text) => parseInWorker([text], false));
  const urgent = parseInWorker(['page'], true);
  expect(parsingNow()).toEqual(['one']);
  answer();
  await slow[0];
  expect(parsingNow()).toEqual(['page']);
  answer();
  expect(await urgent).toHaveLength(1);
  expect(parsingNow()).toEqual(['two']);
  answer();
  await slow[1];
  answer();
  await slow[2];
  expect(WorkerMock.created).toHaveLength(1);
  await new Promise((resolve) => setTimeout(resolve));
  expect(WorkerMock.created[0]?.isTerminated).toBe(true);
});

it('a text that fails ends its worker, and the next one is parsed in a new one', async () => {
  const failing = parseInWorker(['bad'], false);
  const next = parseInWorker(['good'], false);
  WorkerMock.created[0]?.onerror?.({ preventDefault: () => undefined });
  expect(await failing).toEqual([]);
  expect(WorkerMock.created[0]?.isTerminated).toBe(true);
  answer();
  expect(await next).toHaveLength(1);
  expect(WorkerMock.created).toHaveLength(2);
});
