/** How long ago that was by the device's clock, in milliseconds; infinite where nobody knows, as the clock has been set back since. */
export function elapsedMs(time: number): number {
  const ms = Date.now() - time;
  return ms < 0 ? Number.POSITIVE_INFINITY : ms;
}
