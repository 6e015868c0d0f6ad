/** Milliseconds since `time` by the device clock; infinite where the clock has been set back since. */
export function elapsedMs(time: number): number {
  const ms = Date.now() - time;
  return ms < 0 ? Number.POSITIVE_INFINITY : ms;
}
