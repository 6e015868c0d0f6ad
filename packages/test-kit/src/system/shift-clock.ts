import { fileURLToPath } from 'node:url';

/** Builds the environment of a Node.js process whose wall clock is shifted. Its monotonic clock is unaffected. */
export const shiftedClock = (ms: number, { NODE_OPTIONS = '' }: NodeJS.ProcessEnv): Record<string, string> => ({
  NODE_OPTIONS: `${NODE_OPTIONS} --import=${fileURLToPath(import.meta.url)}`.trim(),
  CLOCK_SHIFT_MS: String(ms),
});

/** Shifts `Date` and the default time of `Intl`. The process runs this when it imports this file with `--import`. */
function shiftDate(ms: number): void {
  const RealDate = Date;
  const now = () => RealDate.now() + ms;
  const ShiftedDate = new Proxy(RealDate, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new RealDate(now()).toString(),
    get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
  });
  ShiftedDate.prototype.constructor = ShiftedDate;
  globalThis.Date = ShiftedDate;
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Intl.DateTimeFormat.prototype.formatToParts = function (date) {
    return formatToParts.call(this, date ?? now());
  };
}

const shiftMs = Number(process.env.CLOCK_SHIFT_MS);
if (shiftMs) shiftDate(shiftMs);
