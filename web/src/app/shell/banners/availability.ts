import type { getHealth } from '@atrium/proto-events/http/gateway';
import { useSyncExternalStore } from 'react';
import { call } from '#lib/api/api.ts';
import { ApiError } from '#lib/api/api-error.ts';
import { createListeners } from '#lib/listeners.ts';

const TIMEOUT_MS = 5_000;
const RETRY_TIMEOUT_MS = 3_000;
const RETRY_DELAYS_MS = [1_000, 2_000, 3_000];

type Availability = 'available' | 'unavailable';

let availability: Availability = 'available';
let isDismissed = false;
let pendingCheck: Promise<void> | null = null;
let nextCheck: Promise<void> | null = null;
const listeners = createListeners();

/** A success that was already in flight may be outdated, so it is followed by another check. */
export function checkAvailability(): Promise<void> {
  if (pendingCheck !== null) {
    nextCheck ??= pendingCheck.then(() => {
      nextCheck = null;
      return availability === 'available' ? checkAvailability() : undefined;
    });
    return nextCheck;
  }
  pendingCheck = check().finally(() => {
    pendingCheck = null;
  });
  return pendingCheck;
}

export function watchAvailability(): () => void {
  const onVisible = () => document.visibilityState === 'visible' && void checkAvailability();
  document.addEventListener('visibilitychange', onVisible);
  void checkAvailability();
  return () => document.removeEventListener('visibilitychange', onVisible);
}

export function dismissBanner(): void {
  isDismissed = true;
  listeners.notify();
}

export function useIsBannerShown(): boolean {
  return useSyncExternalStore(listeners.subscribe, () => availability === 'unavailable' && !isDismissed);
}

async function check(): Promise<void> {
  if (await isHealthy(TIMEOUT_MS)) return setAvailability('available');
  for (const delay of RETRY_DELAYS_MS) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (await isHealthy(RETRY_TIMEOUT_MS)) return setAvailability('available');
  }
  setAvailability('unavailable');
}

async function isHealthy(timeoutMs: number): Promise<boolean> {
  try {
    await call<typeof getHealth>('GET /health', {}, { timeoutMs });
    return true;
  } catch (error) {
    // A rate limit shows that the server responds.
    return error instanceof ApiError && error.status === 429;
  }
}

function setAvailability(next: Availability): void {
  if (next === 'available') isDismissed = false;
  availability = next;
  listeners.notify();
}
