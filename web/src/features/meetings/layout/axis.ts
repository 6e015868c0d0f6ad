import { type Day, dateOfDay } from '#lib/day.ts';
import { dayAfter } from './shown-range.ts';
import { MINUTE_MS, type Span } from './span.ts';

/**
 * The time axis shared by the columns of a day or week, in rows of half an hour of local time. When clocks go back, the repeated half
 * hours get extra rows, which are empty on other days; when clocks go forward, a day lacks some rows. So an hour has the same height on
 * every day, and later times are always below earlier ones.
 */
export type Axis = { rows: readonly AxisRow[]; days: readonly AxisDay[] };

/** `minutes` of local time since midnight; `turn` is 1 for the second occurrence of a repeated time. */
type AxisRow = { minutes: number; turn: number };

/** A day with the axis place of each of its half hours; the number varies. */
export type AxisDay = Span & { day: Day; places: readonly number[] };

/** All current zones are offset from UTC by multiples of 15 minutes and change by half hours or hours. */
export const ROW_MS = 30 * MINUTE_MS;
const ROW_MINUTES = 30;
const ROWS = 48;

export type Clock = {
  startOf: (day: Day) => number;
  /** The local time of an instant, in minutes since midnight. */
  minutesAt: (at: number) => number;
};

const LOCAL_CLOCK: Clock = {
  startOf: (day) => dateOfDay(day)?.getTime() ?? Number.NaN,
  minutesAt(at) {
    const date = new Date(at);
    return date.getHours() * 60 + date.getMinutes();
  },
};

export function axisOf(days: readonly Day[], clock: Clock = LOCAL_CLOCK): Axis {
  const all = days.map((day) => halfHoursOf(day, clock));
  const repeated = [...new Set(all.flatMap(({ rows }) => rows.filter(({ turn }) => turn > 0).map(idOf)))]
    .map(rowOf)
    .sort((a, b) => a.minutes - b.minutes);
  const rows = withRepeated(
    Array.from({ length: ROWS }, (_, index) => ({ minutes: index * ROW_MINUTES, turn: 0 })),
    repeated,
  );
  const places = new Map(rows.map((row, place) => [idOf(row), place]));
  return {
    rows,
    days: all.map(({ rows: own, ...day }) => ({ ...day, places: own.map((row) => places.get(idOf(row)) ?? 0) })),
  };
}

function halfHoursOf(day: Day, clock: Clock): Span & { day: Day; rows: AxisRow[] } {
  const { start, end } = boundsOf(day, clock);
  const rows: AxisRow[] = [];
  for (let at = start; at < end; at += ROW_MS) {
    const minutes = Math.floor(clock.minutesAt(at) / ROW_MINUTES) * ROW_MINUTES;
    rows.push({ minutes, turn: rows.filter((row) => row.minutes === minutes).length });
  }
  return { day, start, end, rows };
}

/** From midnight to midnight: 23 to 25 hours. */
export const boundsOf = (day: Day, clock: Clock = LOCAL_CLOCK): Span => ({
  start: clock.startOf(day),
  end: clock.startOf(dayAfter(day)),
});

const idOf = ({ minutes, turn }: AxisRow) => minutes + turn * 10_000;
const rowOf = (id: number): AxisRow => ({ minutes: id % 10_000, turn: Math.floor(id / 10_000) });

/** Inserts repeated rows after the last of the rows they repeat. */
function withRepeated(rows: AxisRow[], repeated: readonly AxisRow[]): AxisRow[] {
  const result = [...rows];
  let block: AxisRow[] = [];
  for (const [index, row] of repeated.entries()) {
    block.push(row);
    const next = repeated[index + 1];
    if (next?.minutes === row.minutes + ROW_MINUTES && next.turn === row.turn) continue;
    const last = result.findIndex(({ minutes, turn }) => minutes === row.minutes && turn === row.turn - 1);
    result.splice(last + 1, 0, ...block);
    block = [];
  }
  return result;
}

/** The place of an instant on the axis, in rows from the top. */
export function placeOf({ start, places }: AxisDay, at: number): number {
  const row = Math.min(Math.max(0, Math.floor((at - start) / ROW_MS)), places.length - 1);
  return (places[row] ?? 0) + (at - start) / ROW_MS - row;
}

/** The place of an event's end: the bottom of the last row it occupies. */
export const placeOfEnd = (day: AxisDay, at: number): number => placeOf(day, at - 1) + 1 / ROW_MS;

/** The instant at a place of the axis; if the day lacks it, the next existing one. */
export function instantAt({ start, end, places }: AxisDay, place: number): number {
  const row = places.findIndex((own) => own + 1 > place);
  if (row === -1) return end;
  return start + (row + Math.max(0, place - (places[row] ?? 0))) * ROW_MS;
}

export function gapsOf({ rows }: Axis, { places }: AxisDay): Span[] {
  const gaps: Span[] = [];
  const own = new Set(places);
  for (let place = 0; place < rows.length; place += 1) {
    if (own.has(place)) continue;
    const last = gaps.at(-1);
    if (last?.end === place) last.end = place + 1;
    else gaps.push({ start: place, end: place + 1 });
  }
  return gaps;
}
