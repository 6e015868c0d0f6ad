import { fileURLToPath } from 'node:url';

/**
 * The environment that shifts a Node.js process's clock by this many milliseconds; its monotonic clock is unaffected.
 */
export const shiftedClock = (ms: number, { NODE_OPTIONS = '' }: NodeJS.ProcessEnv): Record<string, string> => ({
  NODE_OPTIONS: `${NODE_OPTIONS} --import=${fileURLToPath(import.meta.url)}`.trim(),
  CLOCK_SHIFT_MS: String(ms),
});

/** `--import` of this file shifts `Date`, and the default time of `Intl`. */
function shift(ms: number): void {
  const Real = Date;
  const now = () => Real.now() + ms;
  const Shifted = new Proxy(Real, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Real(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  Shifted.prototype.constructor = Shifted;
  globalThis.Date = Shifted;
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? now());
  };
}

const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
if (shiftMs) shift(shiftMs);
