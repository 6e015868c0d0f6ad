import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, uptime } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryLock, waitForLock } from './lock.mjs';

describe('lock file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'atrium-lock-'));
    file = join(folder, 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has one holder at a time', async () => {
    const release = await tryLock(file);
    expect(await tryLock(file)).toBeUndefined();
    await release?.();
    expect(existsSync(file)).toBe(false);
    const secondRelease = await tryLock(file);
    expect(secondRelease).toBeDefined();
    await secondRelease?.();
  });

  it('makes a second process wait, and calls onWait once', async () => {
    const release = await tryLock(file);
    let waits = 0;
    const next = waitForLock(file, () => {
      waits += 1;
      void release?.();
    });
    await (await next)();
    expect(waits).toBe(1);
  });

  it('is taken over from a dead holder', async () => {
    // The id is above the highest process id of Linux, so no process has it.
    writeFileSync(file, `${hostname()} 4194304`);
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });

  it('stays with a suspended holder, and expires with a reboot of the machine', async () => {
    const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    writeFileSync(file, `${hostname()} ${process.ppid}`);
    utimesSync(file, past(60), past(60));
    expect(uptime()).toBeGreaterThan(60);
    expect(await tryLock(file)).toBeUndefined();
    utimesSync(file, past(uptime() + 60), past(uptime() + 60));
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });

  it('is released only by its holder', async () => {
    const release = await tryLock(file);
    writeFileSync(file, 'another-host 1');
    await release?.();
    expect(existsSync(file)).toBe(true);
  });

  it('is taken over from a different host only after its heartbeat has stopped', async () => {
    writeFileSync(file, 'another-host 1');
    expect(await tryLock(file)).toBeUndefined();
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file, longAgo, longAgo);
    const release = await tryLock(file);
    expect(release).toBeDefined();
    await release?.();
  });
});
