import type { CDPSession, Page } from 'playwright-core';

/** Slower than the machine by this factor, as a phone is. */
const CPU_THROTTLING = 4;
const PIXELS_PER_SECOND = 4_000;
/** Timestamps of frames vary by a fraction of a millisecond. */
const TOLERANCE_MS = 0.9;

export type FrameFigures = {
  seconds: number;
  framesPerSecond: number;
  /** Shares of the frames. */
  over16: number;
  over33: number;
  over50: number;
  longest: number;
  longTasks: number;
  longTaskMs: number;
};

declare global {
  interface Window {
    frames_: { stop: () => Recording };
  }
}

type Recording = { frames: number[]; longTasks: number[] };

/** Runs in the page. */
function startRecording(): void {
  const recording: Recording = { frames: [], longTasks: [] };
  let isRecording = true;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) recording.longTasks.push(duration);
  });
  observer.observe({ entryTypes: ['longtask'] });
  const record = (time: number) => {
    recording.frames.push(time);
    if (isRecording) requestAnimationFrame(record);
  };
  requestAnimationFrame(record);
  window.frames_ = {
    stop: () => {
      isRecording = false;
      observer.disconnect();
      return recording;
    },
  };
}

/** Records the frames of a page, slowed down, while `work` runs. */
export async function recordFrames(page: Page, work: () => Promise<void>): Promise<FrameFigures> {
  await page.evaluate(startRecording);
  await work();
  const { frames, longTasks } = await page.evaluate(() => window.frames_.stop());
  return toFigures(frames, longTasks);
}

function toFigures(times: readonly number[], longTasks: readonly number[]): FrameFigures {
  const lengths = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const shareOver = (ms: number) => lengths.filter((length) => length > ms + TOLERANCE_MS).length / lengths.length;
  return {
    seconds: total / 1_000,
    framesPerSecond: (lengths.length * 1_000) / total,
    over16: shareOver(1_000 / 60),
    over33: shareOver(2_000 / 60),
    over50: shareOver(3_000 / 60),
    longest: Math.max(...lengths),
    longTasks: longTasks.length,
    longTaskMs: longTasks.reduce((sum, ms) => sum + ms, 0),
  };
}

export async function throttle(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_THROTTLING });
  return devtools;
}

/** Turns the wheel in the middle of the page; a positive distance scrolls up. */
export async function wheel(devtools: CDPSession, distance: number): Promise<void> {
  await devtools.send('Input.synthesizeScrollGesture', {
    x: 800,
    y: 400,
    yDistance: distance,
    speed: PIXELS_PER_SECOND,
    gestureSourceType: 'mouse',
    preventFling: true,
  });
}
